package org.fleetgrad.e2e.soak;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;

/** Latencies of hours, in the memory of some minutes: tenths of a millisecond up to ten seconds. Thread-safe. */
final class Latencies {

    private static final long STEP_NANOS = Duration.ofMillis(1).toNanos() / 10;
    private static final int STEPS = 100_000;

    private final AtomicLongArray counts = new AtomicLongArray(STEPS);

    void add(long nanos) {
        counts.incrementAndGet((int) Math.min(STEPS - 1L, nanos / STEP_NANOS));
    }

    private long count() {
        long sum = 0;
        for (int step = 0; step < STEPS; step++) {
            sum += counts.get(step);
        }
        return sum;
    }

    /** Returns the time within which this share was answered, in milliseconds; NaN if nothing was. */
    double millis(double share) {
        long count = count();
        if (count == 0) {
            return Double.NaN;
        }
        long wanted = (long) Math.ceil(count * share);
        long sum = 0;
        for (int step = 0; step < STEPS; step++) {
            sum += counts.get(step);
            if (sum >= wanted) {
                return (step + 1) / 10.0;
            }
        }
        throw new IllegalStateException("%d of %d latencies were counted".formatted(sum, count));
    }
}
