package org.fleetgrad.runs.place;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.stream.Collectors;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.runs.output.RunFailedException;

/** The rule for {@code --server-address}: an address of this machine that does not mean another machine inside a container. */
final class ServerAddress {

    private ServerAddress() {}

    /**
     * Checks an address before anything is started.
     *
     * @throws RunFailedException if no server here can listen on it, or no container can reach it; the message lists
     *     this machine's addresses
     */
    static void require(String text) throws RunFailedException {
        InetAddress address;
        try {
            address = InetAddress.getByName(text);
        } catch (UnknownHostException unknown) {
            throw refused(text, "is not a known host");
        }
        if (address.isLoopbackAddress()) {
            throw refused(text, "is a loopback address, which in a container means the container itself");
        }
        if (address.isAnyLocalAddress()) {
            throw refused(text, "is not an address that a container can connect to");
        }
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(address, 0));
        } catch (IOException elsewhere) {
            throw refused(text, "is not an address of this machine");
        }
    }

    private static RunFailedException refused(String text, String why) {
        String own = own();
        return RunFailedException.input("--server-address %s %s: pass one that OpenWhisk's containers can reach%s"
                .formatted(Printable.text(text), why, own.isEmpty() ? "" : "; this machine has " + own));
    }

    /** Returns this machine's addresses that may be reachable from other machines. */
    private static String own() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                    .map(InetAddress::getHostAddress)
                    .sorted()
                    .collect(Collectors.joining(", "));
        } catch (SocketException unknown) {
            return "";
        }
    }
}
