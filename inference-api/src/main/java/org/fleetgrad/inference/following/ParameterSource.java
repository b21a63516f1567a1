package org.fleetgrad.inference.following;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.fleetgrad.client.PullResult;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.ParameterMessages.VersionReply;

/** The source of versions. */
public interface ParameterSource {

    /** Pulls the newest parameter set, waiting up to {@code wait} for one that is not {@code known}. */
    PullResult pull(Optional<ParameterVersion> known, Duration wait) throws IOException;

    /** Requests the numbers of the newest version. */
    VersionReply version() throws IOException;

    /**
     * Requests the newest version and returns the number of steps from {@code served} to it; empty if the source does not
     * answer or has another generation.
     */
    default Optional<Long> lag(ParameterVersion served) {
        try {
            VersionReply newest = version();
            return newest.generation().equals(served.generation())
                    ? Optional.of(Math.max(0, newest.version() - served.version()))
                    : Optional.empty();
        } catch (IOException unreachable) {
            return Optional.empty();
        }
    }
}
