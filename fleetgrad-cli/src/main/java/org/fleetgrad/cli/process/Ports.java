package org.fleetgrad.cli.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Finds a port to serve on. */
public final class Ports {

    private Ports() {}

    /** Returns {@code preferred} if nobody serves on it, or else a port that is free. */
    public static int preferring(int preferred) throws IOException {
        return isFree(preferred) ? preferred : free();
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }

    /** Returns a port that is free. */
    public static int free() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
