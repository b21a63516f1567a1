package org.fleetgrad.access;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Decides whether a server may start with its level of protection.
 *
 * @param prefix of the settings of its keys, such as {@code ps.security}
 * @param danger what everybody could do without keys, such as {@code read and overwrite the model}
 * @param first  the role whose keys the message writes out
 */
public record StartRule(String prefix, String danger, Role first) {

    /** The protection of the server: keys of callers, only this machine as a client, and encrypted connections. */
    public record Exposure(boolean hasKeys, boolean isLoopback, boolean isTls) {}

    /** Returns the reason and the remedy if the server must not start. */
    public Optional<String> refusal(Exposure exposure) {
        if (exposure.hasKeys() || exposure.isLoopback()) {
            return Optional.empty();
        }
        String others = Arrays.stream(Role.values())
                .filter(role -> role != first)
                .map(Role::label)
                .collect(Collectors.joining(", "));
        return Optional.of(("other machines can reach server.address, and there are no keys: anybody could %1$s. Write"
                        + " %2$s.keys.%3$s.access-key and %2$s.keys.%3$s.secret-key (and likewise for %4$s), or"
                        + " server.address=127.0.0.1")
                .formatted(danger, prefix, first.label(), others));
    }

    /** Returns a warning if something is unprotected. */
    public Optional<String> warning(Exposure exposure) {
        if (!exposure.hasKeys()) {
            return Optional.of("SECURITY IS OFF: there are no keys (%s.keys), so every program on this machine can %s"
                    .formatted(prefix, danger));
        }
        if (!exposure.isLoopback() && !exposure.isTls()) {
            return Optional.of("keys and tokens travel in the clear: other machines reach this server without TLS;"
                    + " write server.ssl.bundle, or put a proxy with TLS in front of the server");
        }
        return Optional.empty();
    }
}
