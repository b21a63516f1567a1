package org.fleetgrad.e2e;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import org.junit.jupiter.api.Assumptions;

/** An address of this machine that containers could reach: {@code fleetgrad} takes no other for OpenWhisk. */
final class OwnAddress {

    private OwnAddress() {}

    /** Returns one; skips the test on a machine that has none. */
    static String find() throws SocketException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .map(InetAddress::getHostAddress)
                .findFirst()
                .orElseGet(() -> Assumptions.abort("SKIPPED: this machine has no address but its own loopback's"));
    }
}
