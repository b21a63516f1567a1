package org.fleetgrad.runs.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/**
 * Finds ports that are free now. Another program may take such a port before it is bound: the program that binds it reports
 * its success in a {@link PortFile}.
 */
public final class Ports {

    private Ports() {}

    /** Returns {@code preferred} if it is free on the loopback interface, or else another free port. */
    public static int preferring(int preferred) throws IOException {
        return preferring(InetAddress.getLoopbackAddress(), preferred);
    }

    /** Returns {@code preferred} if it is free on an address of this machine, or else another free port. */
    public static int preferring(InetAddress address, int preferred) throws IOException {
        return isFree(new InetSocketAddress(address, preferred)) ? preferred : free(address);
    }

    /** Returns whether another program listens on an address; not if the address is none of this machine. */
    public static boolean isTaken(InetSocketAddress address) {
        return !address.isUnresolved() && !isFree(address) && isFree(new InetSocketAddress(address.getAddress(), 0));
    }

    private static boolean isFree(InetSocketAddress address) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(address);
            return true;
        } catch (IOException taken) {
            return false;
        }
    }

    /** Returns a port that is free on the loopback interface. */
    public static int free() throws IOException {
        return free(InetAddress.getLoopbackAddress());
    }

    /** Returns a port that is free on an address of this machine. */
    public static int free(InetAddress address) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, address)) {
            return socket.getLocalPort();
        }
    }
}
