package org.fleetgrad.worker.training;

import java.time.Clock;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Whether an activation has time for more. It learns how long the container's own batches, pushes and downloads take, from
 * one activation to the next, and says no early enough for what is held to be pushed and for the answer to be given before
 * the container is killed. Safe from several threads: a push under way asks as well.
 */
public final class Pace {

    /** For the good-bye, the answer and a pause of the machine. */
    private static final long RESERVE_MS = 1_000;

    /** What anything is taken to last before the first of its kind was seen: the first one loads code. */
    private static final double UNKNOWN_MS = 500;

    /** A slow one is remembered for some tens. */
    private static final double FORGETTING = 0.95;

    /** What takes time. */
    enum Deed {
        FETCH,
        STEP,
        PUSH
    }

    private final Clock clock;
    private final Map<Deed, Double> slowest = new ConcurrentHashMap<>();

    /**
     * Knows nothing yet.
     *
     * @param clock tells how far a deadline is
     */
    public Pace(Clock clock) {
        this.clock = clock;
    }

    /** Says that a deed began; {@link #end} says how long it lasted. */
    long begin() {
        return System.nanoTime();
    }

    void end(Deed deed, long begin) {
        took(deed, (System.nanoTime() - begin) / 1e6);
    }

    void took(Deed deed, double millis) {
        slowest.merge(deed, millis, (before, now) -> Math.max(now, FORGETTING * before));
    }

    /** Tells whether another batch can be computed, and what is held be pushed. */
    boolean hasTimeForAStep(OptionalLong deadline) {
        return hasTimeFor(deadline, slowest(Deed.STEP) + slowest(Deed.PUSH));
    }

    /** Tells whether another shard can be fetched, and a batch of it be pushed. */
    boolean hasTimeForAShard(OptionalLong deadline) {
        return hasTimeFor(deadline, slowest(Deed.FETCH) + slowest(Deed.STEP) + slowest(Deed.PUSH));
    }

    private double slowest(Deed deed) {
        return slowest.getOrDefault(deed, UNKNOWN_MS);
    }

    /** Without a deadline there is always time. */
    private boolean hasTimeFor(OptionalLong deadline, double millis) {
        return deadline.isEmpty() || clock.millis() + 2 * millis + RESERVE_MS <= deadline.getAsLong();
    }
}
