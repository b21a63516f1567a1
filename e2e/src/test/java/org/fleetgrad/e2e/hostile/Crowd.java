package org.fleetgrad.e2e.hostile;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Many connections at a time. */
final class Crowd implements AutoCloseable {

    private static final Duration GLANCE = Duration.ofMillis(1);

    private final List<Wire> wires = new ArrayList<>();
    private long refused;

    /** What each connection sends. */
    @FunctionalInterface
    interface Begin {

        void on(Wire wire) throws IOException;
    }

    /** Opens connections to a service; one that cannot be opened, or is closed at once, is refused. */
    static Crowd of(int count, URI service, Begin begin) {
        return of(count, service, 0, begin);
    }

    /** Opens connections with a small buffer for what comes. */
    static Crowd of(int count, URI service, int receiveBytes, Begin begin) {
        Crowd crowd = new Crowd();
        for (int i = 0; i < count; i++) {
            try {
                Wire wire = Wire.open(service, receiveBytes);
                crowd.wires.add(wire);
                begin.on(wire);
            } catch (IOException closed) {
                crowd.refused++;
            }
        }
        return crowd;
    }

    /** Lets each connection send a little more; one that is closed by now counts as refused later. */
    void drip(String piece) {
        for (Wire wire : wires) {
            try {
                wire.send(piece);
            } catch (IOException closed) {
                // Counted at the end.
            }
        }
    }

    /** Returns how many connections are refused by now. */
    long refused() {
        return refused + wires.stream().filter(wire -> wire.isRefused(GLANCE)).count();
    }

    @Override
    public void close() {
        wires.forEach(Wire::close);
    }
}
