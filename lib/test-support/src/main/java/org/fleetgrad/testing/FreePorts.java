package org.fleetgrad.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for programs that a test starts. Each is returned once, and all lie below the ephemeral ports, which systems assign to
 * outgoing connections and to servers that request any port, so no other program takes one first.
 */
public final class FreePorts {

    private static final int FIRST = 10_000;
    private static final int COUNT = 19_000;
    /** The only one of them (fetch standard, "bad port"). */
    private static final int REFUSED_BY_BROWSERS = 10_080;
    // Another JVM that runs tests at the same time begins elsewhere.
    private static final AtomicInteger NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

    private FreePorts() {}

    public static int next() {
        for (int tries = 0; tries < COUNT; tries++) {
            int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
            if (port != REFUSED_BY_BROWSERS && isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("somebody serves on each port from %d on".formatted(FIRST));
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
