package org.fleetgrad.simulation.scale;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.simulation.kernel.Kernel;

/**
 * Messages on their way, each over two links: those that cross a link share it fairly, as connections of TCP do in the mean. Their
 * speeds are the max-min fair ones: no message could be faster without one that is not faster becoming slower (Bertsekas and Gallager,
 * Data Networks, 6.5.2).
 */
final class Flows {

    /** Less than a bit: what rounding leaves of a message. */
    private static final double NOTHING = 0.1;

    private final Kernel kernel;
    private final List<Flow> flows = new ArrayList<>();
    private long now;
    private long changes;

    private static final class Flow {
        private final Link from;
        private final Link to;
        private final double bytes;
        private final Runnable then;
        private double left;
        private double speed;

        Flow(Link from, Link to, double bytes, Runnable then) {
            this.from = from;
            this.to = to;
            this.bytes = bytes;
            this.then = then;
            this.left = bytes;
        }

        boolean crosses(Link link) {
            return link == from || link == to;
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
        share();
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
        share();
        ended.forEach(flow -> flow.then.run());
    }

    /** Gives each message its speed, and waits for the first that ends. */
    private void share() {
        changes++;
        Map<Link, Room> rooms = new HashMap<>();
        for (Flow flow : flows) {
            rooms.computeIfAbsent(flow.from, Room::new);
            rooms.computeIfAbsent(flow.to, Room::new);
        }
        List<Flow> open = new ArrayList<>(flows);
        while (!open.isEmpty()) {
            Room least = rooms.values().stream()
                    .filter(room -> room.flows > 0)
                    .min((one, other) -> Double.compare(one.share(), other.share()))
                    .orElseThrow();
            double share = least.share();
            open.removeIf(flow -> {
                boolean isLimited = flow.crosses(least.link);
                if (isLimited) {
                    flow.speed = share;
                    Optional.ofNullable(rooms.get(flow.from)).ifPresent(room -> room.take(share));
                    Optional.ofNullable(rooms.get(flow.to)).ifPresent(room -> room.take(share));
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
        private final Link link;
        private double bytesANano;
        private int flows;

        Room(Link link) {
            this.link = link;
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
