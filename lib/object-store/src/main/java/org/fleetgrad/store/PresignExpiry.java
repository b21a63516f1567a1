package org.fleetgrad.store;

import java.time.Duration;

/** Checks the lifetime of a presigned address. */
final class PresignExpiry {

    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(7);

    private PresignExpiry() {}

    static int seconds(Duration expiry) {
        if (expiry.compareTo(SHORTEST) < 0 || expiry.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "a presigned address must live from %s to %s; it is %s".formatted(SHORTEST, LONGEST, expiry));
        }
        return Math.toIntExact(expiry.toSeconds());
    }
}
