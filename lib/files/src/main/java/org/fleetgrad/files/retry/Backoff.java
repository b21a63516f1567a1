package org.fleetgrad.files.retry;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Pauses that grow by a factor up to a longest one. Not thread-safe. */
public final class Backoff {

    private final Duration first;
    private final Duration longest;
    private final double factor;
    private final @Nullable RandomGenerator random;
    private Duration next;

    /** Pauses without jitter, for one client. */
    public Backoff(Duration first, Duration longest, double factor) {
        this(first, longest, factor, null);
    }

    /**
     * Pauses with jitter over the upper half of each, so that clients that were refused together do not retry together.
     *
     * @param random the source of the jitter; null for none
     */
    public Backoff(Duration first, Duration longest, double factor, @Nullable RandomGenerator random) {
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

    /** Returns the next pause b, which grows from call to call; with jitter {@code b/2 + U(0, b/2)}. */
    public Duration next() {
        long nanos = next.toNanos();
        next = Duration.ofNanos((long) Math.min((double) longest.toNanos(), nanos * factor));
        return random == null
                ? Duration.ofNanos(nanos)
                : Duration.ofNanos(nanos / 2 + (long) (random.nextDouble() * (nanos - nanos / 2)));
    }

    /** Starts again with the first pause. */
    public void reset() {
        next = first;
    }
}
