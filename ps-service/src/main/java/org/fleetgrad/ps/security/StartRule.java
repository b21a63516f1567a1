package org.fleetgrad.ps.security;

import java.util.Optional;

/** Whether a server may start as open as it is set to be. */
public final class StartRule {

    private StartRule() {}

    /**
     * What stands between the server and strangers.
     *
     * @param hasKeys    whether callers have to prove who they are
     * @param isLoopback whether this machine alone can reach the server
     * @param isTls      whether what is sent is encrypted
     */
    public record Exposure(boolean hasKeys, boolean isLoopback, boolean isTls) {}

    /** Says why the server must not start and what to write instead, where it must not. */
    public static Optional<String> refusal(Exposure exposure) {
        if (exposure.hasKeys() || exposure.isLoopback()) {
            return Optional.empty();
        }
        return Optional.of(
                "server.address lets other machines in, and there are no keys: anybody could read and overwrite"
                        + " the model. Write ps.security.keys.worker.access-key and ps.security.keys.worker.secret-key (and"
                        + " likewise for reader, evaluator, operator), or server.address=127.0.0.1");
    }

    /** Says what is open, where something is. */
    public static Optional<String> warning(Exposure exposure) {
        if (!exposure.hasKeys()) {
            return Optional.of("SECURITY IS OFF: there are no keys (ps.security.keys), so every program on this machine"
                    + " may read and overwrite the model");
        }
        if (!exposure.isLoopback() && !exposure.isTls()) {
            return Optional.of("keys and tokens travel in the clear: other machines reach this server without TLS;"
                    + " write server.ssl.bundle, or let a proxy that speaks TLS stand before it");
        }
        return Optional.empty();
    }
}
