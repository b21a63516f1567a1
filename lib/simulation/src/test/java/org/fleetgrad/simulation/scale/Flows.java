package org.fleetgrad.simulation.scale;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.simulation.kernel.Kernel;

/**
 * Messages on their way, each over two links: those that cross a link share it fairly, as connections of TCP do in the mean. Their
 * speeds are the max-min fair ones: no message could be faster without one that is not faster becoming slower (Bertsekas and Gallager,
 * Data Networks, 6.5.2).
 */
final class Flows {

    /** Less than a bit: what rounding leaves of a message. */
    private static final double NOTHING = 0.1;

    private static final double ROUNDING = 1e-9;

    private final Kernel kernel;
    private final List<Flow> flows = new ArrayList<>();
    private long now;
    private long changes;
    private boolean isSharing;

    private static final class Flow {
        private final Link from;
        private final Link to;
        private final double bytes;
        private final Runnable then;
        private double left;
        private double speed;
        private List<Room> rooms = List.of();

        Flow(Link from, Link to, double bytes, Runnable then) {
            this.from = from;
            this.to = to;
            this.bytes = bytes;
            this.then = then;
            this.left = bytes;
        }
    }

    Flows(Kernel kernel) {
        this.kernel = kernel;
    }

    /** Sends a message over two links. */
    void send(Link from, Link to, double bytes, Runnable then) {
        advance();
        from.begin();
        to.begin();
        flows.add(new Flow(from, to, bytes, then));
        shareSoon();
    }

    /** Once for everything that happens at one time. */
    private void shareSoon() {
        if (!isSharing) {
            isSharing = true;
            kernel.after(Duration.ZERO, this::share);
        }
    }

    private void advance() {
        long passed = kernel.nanos() - now;
        now = kernel.nanos();
        for (Flow flow : flows) {
            flow.left -= flow.speed * passed;
        }
    }

    private void end(long change) {
        if (change != changes) {
            return;
        }
        advance();
        List<Flow> ended = flows.stream().filter(flow -> flow.left < NOTHING).toList();
        flows.removeAll(ended);
        for (Flow flow : ended) {
            flow.from.end(flow.bytes);
            flow.to.end(flow.bytes);
        }
        shareSoon();
        ended.forEach(flow -> flow.then.run());
    }

    /** Gives each message its speed, and waits for the first that ends. */
    private void share() {
        isSharing = false;
        changes++;
        Map<Link, Room> rooms = new HashMap<>();
        List<Flow> open = new ArrayList<>(flows);
        for (Flow flow : flows) {
            flow.rooms =
                    List.of(rooms.computeIfAbsent(flow.from, Room::new), rooms.computeIfAbsent(flow.to, Room::new));
        }
        while (!open.isEmpty()) {
            double least = rooms.values().stream()
                    .filter(room -> room.flows > 0)
                    .mapToDouble(Room::share)
                    .min()
                    .orElseThrow();
            rooms.values().forEach(room -> room.isFull = room.flows > 0 && room.share() <= least * (1 + ROUNDING));
            open.removeIf(flow -> {
                boolean isLimited = flow.rooms.stream().anyMatch(room -> room.isFull);
                if (isLimited) {
                    flow.speed = least;
                    flow.rooms.forEach(room -> room.take(least));
                }
                return isLimited;
            });
        }
        flows.stream()
                .mapToDouble(flow -> Math.max(0, flow.left - NOTHING / 2) / flow.speed)
                .min()
                .ifPresent(nanos -> {
                    long mine = changes;
                    kernel.after(Duration.ofNanos((long) Math.ceil(nanos)), () -> end(mine));
                });
    }

    /** What is left of a link while speeds are given. */
    private static final class Room {
        private double bytesANano;
        private int flows;
        private boolean isFull;

        Room(Link link) {
            this.bytesANano = link.bytesANano();
            this.flows = link.flows();
        }

        double share() {
            return bytesANano / flows;
        }

        void take(double share) {
            bytesANano -= share;
            flows--;
        }
    }
}
