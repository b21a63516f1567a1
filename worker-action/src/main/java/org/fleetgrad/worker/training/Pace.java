package org.fleetgrad.worker.training;

import java.time.Clock;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells whether an activation has time for more. It measures how long the container's batches, pushes and downloads
 * take, over all activations. It says no early enough for the last push and the answer to end before OpenWhisk kills
 * the container. Safe from several threads: a push in flight asks, too.
 */
public final class Pace {

    /** For unregistering, the answer and a pause of the machine. */
    private static final long RESERVE_MS = 1_000;

    /** The assumed time of a deed before the first one was measured: the first one loads code. */
    private static final double UNKNOWN_MS = 500;

    /** The slowest time decays by 5% with each deed, so it counts for some tens of deeds. */
    private static final double FORGETTING = 0.95;

    /** Deeds that take time. */
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
     * @param clock tells how far away a deadline is
     */
    public Pace(Clock clock) {
        this.clock = clock;
    }

    /** Returns the begin of a deed, for {@link #end}, which measures it. */
    long begin() {
        return System.nanoTime();
    }

    void end(Deed deed, long begin) {
        took(deed, (System.nanoTime() - begin) / 1e6);
    }

    void took(Deed deed, double millis) {
        slowest.merge(deed, millis, (before, now) -> Math.max(now, FORGETTING * before));
    }

    /** Tells whether there is time to compute another batch and push the gradient. */
    boolean hasTimeForAStep(OptionalLong deadline) {
        return hasTimeFor(deadline, slowest(Deed.STEP) + slowest(Deed.PUSH));
    }

    /** Tells whether there is time to fetch another shard, compute a batch of it and push the gradient. */
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
