package org.fleetgrad.store;

import java.time.Duration;

/** The rule for how long a presigned address may live. */
final class PresignExpiry {

    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(7);

    private PresignExpiry() {}

    static int seconds(Duration expiry) {
        if (expiry.compareTo(SHORTEST) < 0 || expiry.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "a presigned address lives from %s to %s, not %s".formatted(SHORTEST, LONGEST, expiry));
        }
        return Math.toIntExact(expiry.toSeconds());
    }
}
