package org.fleetgrad.client;

import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.fleetgrad.files.transfer.StalledTransferMonitor;

/** Chooses how a server's address is reached. */
final class Transports {

    private static final String UNIX = "unix";

    /** Limit of Linux, unix(7), without the 0 at its end; macOS allows 4 fewer. */
    private static final int LONGEST_SOCKET_PATH = 107;

    private Transports() {}

    /** Returns our own channel for plain HTTP and Unix domain sockets, and a client library's transport for TLS and proxies. */
    static Transport of(URI address, ClientOptions options) {
        boolean isPlain = UNIX.equals(address.getScheme()) || ("http".equals(address.getScheme()) && isDirect(address));
        return isPlain && isKnown(address)
                ? new ChannelTransport(ServerEndPoint.of(address), options, StalledTransferMonitor.shared())
                : new BlockingTransport(options);
    }

    private static boolean isDirect(URI address) {
        ProxySelector proxies = ProxySelector.getDefault();
        return address.getHost() == null
                || proxies == null
                || proxies.select(address).stream().allMatch(proxy -> proxy.type() == Proxy.Type.DIRECT);
    }

    /**
     * Returns the base of the request paths of a server.
     *
     * @throws IllegalArgumentException when it is no server's address
     */
    static URI base(URI address) {
        if (!isKnown(address)) {
            throw new IllegalArgumentException(
                    "the server's address must be like http://host:29500; it is '%s'".formatted(address));
        }
        if (address.getRawQuery() != null || address.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "the server's address must end in its path, without '?' or '#'; it is '%s'".formatted(address));
        }
        if (UNIX.equals(address.getScheme())) {
            requireShort(address.getPath());
        }
        return UNIX.equals(address.getScheme())
                ? URI.create("http://localhost")
                : URI.create(address.toString().replaceFirst("/+$", ""));
    }

    private static void requireShort(String path) {
        int bytes = path.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > LONGEST_SOCKET_PATH) {
            throw new IllegalArgumentException("the socket's path '%s' has %d bytes, a system takes at most %d"
                    .formatted(path, bytes, LONGEST_SOCKET_PATH));
        }
    }

    /** Returns whether an address names a server. */
    static boolean isKnown(URI address) {
        if (UNIX.equals(address.getScheme())) {
            return address.getRawAuthority() == null
                    && address.getPath() != null
                    && address.getPath().startsWith("/");
        }
        return address.getHost() != null && ("http".equals(address.getScheme()) || "https".equals(address.getScheme()));
    }
}
