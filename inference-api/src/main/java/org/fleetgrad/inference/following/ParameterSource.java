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
}
