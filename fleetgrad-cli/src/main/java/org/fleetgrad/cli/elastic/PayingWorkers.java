package org.fleetgrad.cli.elastic;

import java.util.Optional;

/**
 * Finds how many workers pay, by trying: one more while each more brings its share of samples per second, one less where the
 * last one does not, and again after a while, since what else the machines do changes. Belongs to one thread.
 *
 * <p>With {@code n} workers that bring {@code r(n)} samples per second, the next one pays when
 * {@code r(n + 1) - r(n) >= share * r(n) / n}.
 */
public final class PayingWorkers {

    /** Measures between two tries: few at first, twice as many after each try in vain. */
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
     * What a measure led to.
     *
     * @param workers how many there are to be
     * @param reason  why, with the figures
     */
    public record Decision(int workers, String reason) {}

    /** Begins with one worker. */
    public PayingWorkers(ElasticSettings settings) {
        this.settings = settings;
    }

    /** Returns how many workers there are to be now. */
    public int size() {
        return tried;
    }

    /**
     * Takes what {@link #size} workers brought in a measure.
     *
     * @param samplesPerSecond of all of them
     * @return what follows from it, if anything
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
            // In vain: the other way is next.
            tried = paying;
            isUpNext = !isUpNext;
            rest = nextRest;
            nextRest = Math.min(2 * nextRest, LONGEST_REST);
        }
        return decision(
                "worker %d brings %,.0f samples/s, and pays from %,.0f on".formatted(fewer + 1, brought, wanted));
    }

    private Decision decision(String reason) {
        return new Decision(tried, reason);
    }
}
