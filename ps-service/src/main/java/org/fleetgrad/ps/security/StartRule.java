package org.fleetgrad.ps.security;

import java.util.Optional;

/** Decides whether a server may start with its level of protection. */
public final class StartRule {

    private StartRule() {}

    /**
     * The protection of the server against strangers.
     *
     * @param hasKeys    whether callers must authenticate
     * @param isLoopback whether only this machine can reach the server
     * @param isTls      whether connections are encrypted
     */
    public record Exposure(boolean hasKeys, boolean isLoopback, boolean isTls) {}

    /** Returns the reason and the remedy if the server must not start. */
    public static Optional<String> refusal(Exposure exposure) {
        if (exposure.hasKeys() || exposure.isLoopback()) {
            return Optional.empty();
        }
        return Optional.of(
                "other machines can reach server.address, and there are no keys: anybody could read and overwrite"
                        + " the model. Write ps.security.keys.worker.access-key and ps.security.keys.worker.secret-key (and"
                        + " likewise for reader, evaluator, operator), or server.address=127.0.0.1");
    }

    /** Returns a warning if something is unprotected. */
    public static Optional<String> warning(Exposure exposure) {
        if (!exposure.hasKeys()) {
            return Optional.of("SECURITY IS OFF: there are no keys (ps.security.keys), so every program on this machine"
                    + " can read and overwrite the model");
        }
        if (!exposure.isLoopback() && !exposure.isTls()) {
            return Optional.of("keys and tokens travel in the clear: other machines reach this server without TLS;"
                    + " write server.ssl.bundle, or put a proxy with TLS in front of the server");
        }
        return Optional.empty();
    }
}
