package org.fleetgrad.inference.following;

import java.io.IOException;
import java.util.Optional;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.ParameterMessages.VersionReply;

/** Measures how far the parameter server is ahead. Thread-safe. */
public final class Lag {

    private final ParameterSource source;

    /** Measures against {@code source}. */
    public Lag(ParameterSource source) {
        this.source = source;
    }

    /**
     * Requests the newest version and returns the number of steps to it; empty if the server does not answer or has another
     * generation.
     */
    public Optional<Long> of(ParameterVersion served) {
        try {
            VersionReply newest = source.version();
            return newest.generation().equals(served.generation())
                    ? Optional.of(Math.max(0, newest.version() - served.version()))
                    : Optional.empty();
        } catch (IOException unreachable) {
            return Optional.empty();
        }
    }
}
