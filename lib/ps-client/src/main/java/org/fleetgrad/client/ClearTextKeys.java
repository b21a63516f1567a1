package org.fleetgrad.client;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Tells whether keys that are sent to an address can be read on the way. Only the loopback interface keeps them on this machine: the
 * bridge of Docker, such as 172.17.0.1, has other containers on it.
 */
final class ClearTextKeys {

    private ClearTextKeys() {}

    /**
     * Returns a warning if the address takes the keys without TLS, and is not this machine's loopback.
     *
     * @param keys    whose keys they are, such as {@code the keys of this run}
     * @param address to which they are sent
     */
    static Optional<String> warning(String keys, URI address) {
        if (!"http".equalsIgnoreCase(address.getScheme())
                || address.getHost() == null
                || isLoopback(address.getHost())) {
            return Optional.empty();
        }
        return Optional.of(
                "%s travel in the clear to %s://%s%s: whoever reads that network can use them; use https, or a tunnel that ends at 127.0.0.1"
                        .formatted(
                                keys,
                                address.getScheme(),
                                address.getHost(),
                                address.getPort() < 0 ? "" : ":" + address.getPort()));
    }

    /** A name is loopback if it means nothing else; one that is not known is reported by the call. */
    private static boolean isLoopback(String host) {
        try {
            return Arrays.stream(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException unknown) {
            return true;
        }
    }
}
