package org.fleetgrad.openwhisk.pacing;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Pauses that grow by a factor up to a longest one, with jitter over the upper half of each, so that clients that were
 * refused together do not retry together. Not thread-safe.
 */
final class Backoff {

    private final Duration first;
    private final Duration longest;
    private final double factor;
    private final RandomGenerator random;
    private Duration next;

    Backoff(Duration first, Duration longest, double factor, RandomGenerator random) {
        if (first.isNegative() || first.isZero() || longest.compareTo(first) < 0 || !(factor >= 1)) {
            throw new IllegalArgumentException(
                    "pauses must grow from a first one above 0 by a factor of 1 or more; they grow from %s to %s by %s"
                            .formatted(first, longest, factor));
        }
        this.first = first;
        this.longest = longest;
        this.factor = factor;
        this.random = random;
        this.next = first;
    }

    /** Returns the next pause: {@code b/2 + U(0, b/2)}, with b growing from call to call. */
    Duration next() {
        long nanos = next.toNanos();
        next = Duration.ofNanos((long) Math.min((double) longest.toNanos(), nanos * factor));
        return Duration.ofNanos(nanos / 2 + (long) (random.nextDouble() * (nanos - nanos / 2)));
    }

    /** Starts again with the first pause. */
    void reset() {
        next = first;
    }
}
