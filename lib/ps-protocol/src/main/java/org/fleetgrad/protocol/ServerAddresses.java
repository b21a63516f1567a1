package org.fleetgrad.protocol;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import org.fleetgrad.files.text.ShownAddress;

/**
 * The addresses of a run's parameter servers, in the order of their partitions. An address is that of an http or https
 * server, such as {@code http://host:29500}, or the Unix domain socket of a server on this machine, such as
 * {@code unix:/run/fleetgrad.sock}.
 *
 * @param uris one, or several
 */
public record ServerAddresses(List<URI> uris) {

    private static final String UNIX = "unix";

    /** Limit of Linux, unix(7), without the 0 at its end; macOS allows 4 fewer. */
    private static final int MAX_SOCKET_PATH_BYTES = 107;

    /** Checks that there is at least one, and none twice. */
    public ServerAddresses {
        uris = List.copyOf(uris);
        if (uris.isEmpty() || new HashSet<>(uris).size() != uris.size()) {
            throw new IllegalArgumentException(
                    "the parameter servers must be one address or several different ones; they are %s".formatted(uris));
        }
    }

    /**
     * Reads addresses separated by commas; {@code host:port} alone is taken as http.
     *
     * @param setting name of the setting that has them, for messages
     * @throws IllegalArgumentException when one is not an address; the message names the setting and the address
     */
    public static ServerAddresses parse(String setting, String text) {
        List<URI> uris = Arrays.stream(text.split(",", -1))
                .map(part -> uri(setting, part.strip()))
                .toList();
        if (new HashSet<>(uris).size() != uris.size()) {
            throw new IllegalArgumentException(
                    "%s must have each address once; it is '%s'".formatted(setting, ShownAddress.of(text)));
        }
        return new ServerAddresses(uris);
    }

    private static URI uri(String setting, String text) {
        String address = text.contains("://") || text.startsWith("unix:") ? text : "http://" + text;
        try {
            URI uri = new URI(address);
            if (isServer(uri)) {
                return uri;
            }
        } catch (URISyntaxException malformed) {
            // Falls through: the message below is the same for every wrong address.
        }
        throw new IllegalArgumentException(
                "%s must be like http://host:29500; it is '%s'".formatted(setting, ShownAddress.of(text)));
    }

    /**
     * Returns the beginning of a server's request URIs, without a slash at its end. It may have a path, as behind a
     * gateway.
     *
     * @throws IllegalArgumentException when it is no server's address
     */
    public static URI requestBase(URI address) {
        if (!isServer(address)) {
            throw new IllegalArgumentException("the server's address must be like http://host:29500; it is '%s'"
                    .formatted(ShownAddress.of(address.toString())));
        }
        if (address.getRawQuery() != null || address.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "the server's address must end in its path, without the '?' or '#' after '%s'"
                            .formatted(ShownAddress.of(address.toString().split("[?#]", 2)[0])));
        }
        if (!UNIX.equals(address.getScheme())) {
            return URI.create(address.toString().replaceFirst("/+$", ""));
        }
        int bytes = address.getPath().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_SOCKET_PATH_BYTES) {
            throw new IllegalArgumentException("the socket's path '%s' has %d bytes, a system takes at most %d"
                    .formatted(address.getPath(), bytes, MAX_SOCKET_PATH_BYTES));
        }
        return URI.create("http://localhost");
    }

    private static boolean isServer(URI address) {
        if (UNIX.equals(address.getScheme())) {
            return address.getRawAuthority() == null
                    && address.getPath() != null
                    && address.getPath().startsWith("/");
        }
        // A user or a password would be shown wherever the address is, and no client sends it.
        return address.getHost() != null
                && address.getRawUserInfo() == null
                && ("http".equals(address.getScheme()) || "https".equals(address.getScheme()));
    }

    /** Returns the lead's address. */
    public URI lead() {
        return uris.get(0);
    }

    @Override
    public String toString() {
        return uris.stream().map(URI::toString).collect(Collectors.joining(","));
    }
}
