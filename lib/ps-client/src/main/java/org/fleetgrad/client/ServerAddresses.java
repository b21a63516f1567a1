package org.fleetgrad.client;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The addresses of a run's parameter servers, in the order of their partitions.
 *
 * @param uris one, or several
 */
public record ServerAddresses(List<URI> uris) {

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
            throw new IllegalArgumentException("%s must have each address once; it is '%s'".formatted(setting, text));
        }
        return new ServerAddresses(uris);
    }

    private static URI uri(String setting, String text) {
        String address = text.contains("://") || text.startsWith("unix:") ? text : "http://" + text;
        try {
            URI uri = new URI(address);
            if (Transports.isKnown(uri)) {
                return uri;
            }
        } catch (URISyntaxException malformed) {
            // Falls through: the message below is the same for every wrong address.
        }
        throw new IllegalArgumentException("%s must be like http://host:29500; it is '%s'".formatted(setting, text));
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
