package org.fleetgrad.access.rate;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A rate limiter with a number of permits for each name, which are refilled evenly over time: the generic cell rate
 * algorithm (ITU-T I.371, annex A), in its form of virtual scheduling. It stores one number for a name: the time at which
 * all permits are refilled. Thread-safe.
 *
 * <p>Names may come from untrusted clients, so at most {@value #MAX_NAMES} are stored. Names with all permits refilled
 * are evicted first.
 */
final class PermitLimiter {

    static final int MAX_NAMES = 10_000;

    private final long interval;
    private final long tolerance;
    private final LongSupplier nanoTime;
    private final ConcurrentMap<String, Long> refilledAt = new ConcurrentHashMap<>();

    /**
     * Gives each name as many permits.
     *
     * @param permits  number of permits, 1 or more
     * @param period   time to refill all of them
     * @param nanoTime the time in nanoseconds, as {@link System#nanoTime}
     */
    PermitLimiter(int permits, Duration period, LongSupplier nanoTime) {
        this.interval = Math.max(1, period.toNanos() / permits);
        this.tolerance = Math.multiplyExact(interval, (long) permits);
        this.nanoTime = nanoTime;
    }

    boolean tryAcquire(String name) {
        long now = nanoTime.getAsLong();
        evict(now);
        AtomicBoolean isAcquired = new AtomicBoolean();
        refilledAt.compute(name, (ignored, then) -> {
            long ahead = ahead(then, now) + interval;
            isAcquired.set(ahead <= tolerance);
            return isAcquired.get() ? Long.valueOf(now + ahead) : then;
        });
        return isAcquired.get();
    }

    /** Returns the time until there is a permit, without taking one; zero if there is one now. */
    Duration timeUntilPermit(String name) {
        long ahead = ahead(refilledAt.get(name), nanoTime.getAsLong());
        return Duration.ofNanos(Math.max(0, ahead + interval - tolerance));
    }

    /** {@link System#nanoTime} may overflow: only differences are compared. */
    private static long ahead(@Nullable Long refilledAt, long now) {
        return refilledAt == null ? 0 : Math.max(0, refilledAt - now);
    }

    private void evict(long now) {
        if (refilledAt.size() < MAX_NAMES) {
            return;
        }
        refilledAt.values().removeIf(then -> then - now <= 0);
        if (refilledAt.size() >= MAX_NAMES) {
            // A limit for each address does not stop clients with so many addresses.
            refilledAt.clear();
        }
    }

    int names() {
        return refilledAt.size();
    }
}
