package org.fleetgrad.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.util.Arrays;
import java.util.List;

/**
 * Where a server listens.
 *
 * @param host value of the header Host
 */
record ServerEndPoint(String host, Addresses addresses) {

    private static final int HTTP_PORT = 80;

    /** Returns the addresses to try, one after the other. */
    @FunctionalInterface
    interface Addresses {
        List<? extends SocketAddress> now() throws IOException;
    }

    /** Returns the end point of an address such as {@code http://host:29500} or {@code unix:/run/fleetgrad.sock}. */
    static ServerEndPoint of(URI address) {
        if ("unix".equals(address.getScheme())) {
            return new ServerEndPoint("localhost", () -> List.of(UnixDomainSocketAddress.of(address.getPath())));
        }
        int port = address.getPort() < 0 ? HTTP_PORT : address.getPort();
        // Resolved for each connection: the name may belong to another server by then. RFC 9112, 3.2: without user
        // information, and without the scheme's default port.
        String host = address.getPort() < 0 ? address.getHost() : address.getHost() + ":" + port;
        return new ServerEndPoint(
                host,
                () -> Arrays.stream(InetAddress.getAllByName(address.getHost()))
                        .map(found -> new InetSocketAddress(found, port))
                        .toList());
    }

    /** Returns a connection that is not connected yet. */
    ChannelConnection open() {
        return new ChannelConnection(addresses);
    }
}
