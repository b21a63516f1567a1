package org.fleetgrad.access.rate;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A number of turns for each of many names, which come back evenly with time: the generic cell rate algorithm (ITU-T I.371,
 * annex A), in its form of virtual scheduling. It keeps one number for a name: the time at which all turns are back.
 * Thread-safe.
 *
 * <p>Names may come from strangers, so at most {@value #MOST_NAMES} are kept. Those whose turns are all back are forgotten
 * first.
 */
final class Allowance {

    static final int MOST_NAMES = 10_000;

    private final long interval;
    private final long tolerance;
    private final LongSupplier nanoTime;
    private final ConcurrentMap<String, Long> full = new ConcurrentHashMap<>();

    /**
     * Gives each name as many turns.
     *
     * @param turns    1 or more
     * @param period   after which they are all back
     * @param nanoTime the time in nanoseconds, as {@link System#nanoTime}
     */
    Allowance(int turns, Duration period, LongSupplier nanoTime) {
        this.interval = Math.max(1, period.toNanos() / turns);
        this.tolerance = Math.multiplyExact(interval, (long) turns);
        this.nanoTime = nanoTime;
    }

    /** Takes a turn if there is one. */
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

    /** Returns the time until there is a turn, without taking one; zero if there is one now. */
    Duration untilTurn(String name) {
        long ahead = ahead(full.get(name), nanoTime.getAsLong());
        return Duration.ofNanos(Math.max(0, ahead + interval - tolerance));
    }

    /** Clocks of nanoseconds may overflow: only differences count. */
    private static long ahead(@Nullable Long full, long now) {
        return full == null ? 0 : Math.max(0, full - now);
    }

    private void forget(long now) {
        if (full.size() < MOST_NAMES) {
            return;
        }
        full.values().removeIf(then -> then - now <= 0);
        if (full.size() >= MOST_NAMES) {
            // Strangers with so many addresses are not held by a limit of one address.
            full.clear();
        }
    }

    /** Returns how many names are kept. */
    int names() {
        return full.size();
    }
}
