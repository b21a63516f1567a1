package org.fleetgrad.worker.training;

import java.time.Clock;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Decides whether an activation has time for more. It measures how long the container's batches, pushes and downloads take,
 * over all activations. It says no early enough for the last push and the response to end before OpenWhisk kills the container.
 * Thread-safe: a push in flight calls it, too.
 */
public final class TimeBudget {

    /** For unregistering, the response and a pause of the machine. */
    private static final long RESERVE_MS = 1_000;

    /** The assumed time of an operation before the first one is measured: the first one loads code. */
    private static final double UNKNOWN_MS = 500;

    /** The slowest time decays by 5% with each operation, so it counts for some tens of operations. */
    private static final double FORGETTING = 0.95;

    /** Operations that take time. */
    enum Operation {
        FETCH,
        STEP,
        PUSH
    }

    private final Clock clock;
    private final LongSupplier nanos;
    private final Map<Operation, Double> slowest = new ConcurrentHashMap<>();

    /**
     * Starts without measurements.
     *
     * @param clock tells how far away a deadline is
     */
    public TimeBudget(Clock clock) {
        this(clock, System::nanoTime);
    }

    /**
     * Starts without measurements.
     *
     * @param clock tells how far away a deadline is
     * @param nanos measures how long something takes, as {@link System#nanoTime} does
     */
    public TimeBudget(Clock clock, LongSupplier nanos) {
        this.clock = clock;
        this.nanos = nanos;
    }

    /** Returns the time by which it measures: only differences mean something. */
    long nanos() {
        return nanos.getAsLong();
    }

    /** Clears the measurements: another network has other times. */
    public void forget() {
        slowest.clear();
    }

    /** Measures an operation that began at {@code begin} of {@link #nanos}, and returns its nanoseconds. */
    long end(Operation operation, long begin) {
        long took = nanos() - begin;
        took(operation, took / 1e6);
        return took;
    }

    void took(Operation operation, double millis) {
        slowest.merge(operation, millis, (before, now) -> Math.max(now, FORGETTING * before));
    }

    /** Returns whether there is time to compute another batch and push the gradient. */
    boolean hasTimeForAStep(OptionalLong deadline) {
        return hasTimeFor(deadline, slowest(Operation.STEP) + slowest(Operation.PUSH));
    }

    /** Returns whether there is time to fetch another shard, compute a batch of it and push the gradient. */
    public boolean hasTimeForAShard(OptionalLong deadline) {
        return hasTimeFor(deadline, slowest(Operation.FETCH) + slowest(Operation.STEP) + slowest(Operation.PUSH));
    }

    private double slowest(Operation operation) {
        return slowest.getOrDefault(operation, UNKNOWN_MS);
    }

    /** Without a deadline there is always time. */
    private boolean hasTimeFor(OptionalLong deadline, double millis) {
        return deadline.isEmpty() || clock.millis() + 2 * millis + RESERVE_MS <= deadline.getAsLong();
    }
}
