package org.fleetgrad.runs.elastic;

import java.util.Optional;

/**
 * Finds by trials how many workers are worth keeping. It adds workers while each new one adds its share of samples per
 * second, drops one that does not, and retries after a while, since the machines' load changes. Confined to one thread.
 *
 * <p>With {@code n} workers at {@code r(n)} samples per second, the next one is worth keeping when
 * {@code r(n + 1) - r(n) >= share * r(n) / n}.
 */
public final class WorkerTrials {

    /** Measurements between two trials: few at first, twice as many after each failed trial. */
    private static final int SHORTEST_REST = 2;

    private static final int LONGEST_REST = 32;

    private final ElasticSettings settings;
    private int paying = 1;
    private double rate;
    private int tried = 1;
    private int rest;
    private int nextRest = SHORTEST_REST;
    private boolean isUpNext = true;

    /**
     * The result of a measurement.
     *
     * @param workers number of workers from now on
     * @param reason  the reason, with the figures
     */
    public record Decision(int workers, String reason) {}

    /** Starts with one worker. */
    public WorkerTrials(ElasticSettings settings) {
        this.settings = settings;
    }

    /** Returns the wanted number of workers. */
    public int size() {
        return tried;
    }

    /**
     * Takes a measurement with {@link #size} workers.
     *
     * @param samplesPerSecond of all workers together
     * @return the new number of workers; empty if nothing is decided
     */
    public Optional<Decision> measured(double samplesPerSecond) {
        return tried == paying ? next(samplesPerSecond) : Optional.of(judge(samplesPerSecond));
    }

    private Optional<Decision> next(double measured) {
        rate = measured;
        if (rest > 0) {
            rest--;
            return Optional.empty();
        }
        boolean canAdd = paying < settings.most();
        boolean canDrop = paying > 1;
        if (!canAdd && !canDrop) {
            return Optional.empty();
        }
        boolean isAdding = canAdd && (isUpNext || !canDrop);
        tried = paying + (isAdding ? 1 : -1);
        return Optional.of(decision("%,.0f samples/s with %d; trying %d".formatted(rate, paying, tried)));
    }

    private Decision judge(double measured) {
        int fewer = Math.min(tried, paying);
        double rateOfFewer = tried < paying ? measured : rate;
        double brought = tried < paying ? rate - measured : measured - rate;
        double wanted = settings.share() * rateOfFewer / fewer;
        int better = brought >= wanted ? fewer + 1 : fewer;
        if (better == tried) {
            paying = tried;
            rate = measured;
            nextRest = SHORTEST_REST;
        } else {
            // The trial failed: try the other direction next.
            tried = paying;
            isUpNext = !isUpNext;
            rest = nextRest;
            nextRest = Math.min(2 * nextRest, LONGEST_REST);
        }
        return decision(
                "worker %d adds %,.0f samples/s; a worker is kept from %,.0f on".formatted(fewer + 1, brought, wanted));
    }

    private Decision decision(String reason) {
        return new Decision(tried, reason);
    }
}
