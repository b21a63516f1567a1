package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.Nullable;

/**
 * The newest version of the parameters.
 *
 * @param code            200
 * @param version         steps applied since the run began
 * @param accuracy        newest held-out accuracy, 0 to 1; absent before the first evaluation
 * @param accuracyVersion version that the accuracy belongs to
 * @param generation      history that the version counts in
 * @param initialized     whether there is a parameter set yet
 */
public record VersionReply(
        int code,
        long version,
        @Nullable Double accuracy,
        @Nullable Long accuracyVersion,
        String generation,
        boolean initialized) {}
