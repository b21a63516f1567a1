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
 * <p>Names may come from untrusted clients, so at most {@value #MOST_NAMES} are stored. Names with all permits refilled
 * are evicted first.
 */
final class Allowance {

    static final int MOST_NAMES = 10_000;

    private final long interval;
    private final long tolerance;
    private final LongSupplier nanoTime;
    private final ConcurrentMap<String, Long> full = new ConcurrentHashMap<>();

    /**
     * Gives each name as many permits.
     *
     * @param turns    number of permits, 1 or more
     * @param period   time to refill all of them
     * @param nanoTime the time in nanoseconds, as {@link System#nanoTime}
     */
    Allowance(int turns, Duration period, LongSupplier nanoTime) {
        this.interval = Math.max(1, period.toNanos() / turns);
        this.tolerance = Math.multiplyExact(interval, (long) turns);
        this.nanoTime = nanoTime;
    }

    /** Takes a permit if there is one. */
    boolean tryTake(String name) {
        long now = nanoTime.getAsLong();
        forget(now);
        AtomicBoolean isTaken = new AtomicBoolean();
        full.compute(name, (ignored, then) -> {
            long ahead = ahead(then, now) + interval;
            isTaken.set(ahead <= tolerance);
            return isTaken.get() ? Long.valueOf(now + ahead) : then;
        });
        return isTaken.get();
    }

    /** Returns the time until there is a permit, without taking one; zero if there is one now. */
    Duration untilTurn(String name) {
        long ahead = ahead(full.get(name), nanoTime.getAsLong());
        return Duration.ofNanos(Math.max(0, ahead + interval - tolerance));
    }

    /** {@link System#nanoTime} may overflow: only differences are compared. */
    private static long ahead(@Nullable Long full, long now) {
        return full == null ? 0 : Math.max(0, full - now);
    }

    private void forget(long now) {
        if (full.size() < MOST_NAMES) {
            return;
        }
        full.values().removeIf(then -> then - now <= 0);
        if (full.size() >= MOST_NAMES) {
            // A limit for each address does not stop clients with so many addresses.
            full.clear();
        }
    }

    /** Returns how many names are stored. */
    int names() {
        return full.size();
    }
}
