package org.fleetgrad.benchmarks.figures;

import java.util.Map;

/**
 * The medians of a comparison.
 *
 * @param <K> identifies the compared things
 */
public final class Medians<K> {

    private final Map<K, double[]> values;

    Medians(Map<K, double[]> values) {
        this.values = values;
    }

    /** Returns the only or first value of one thing. */
    public double of(K compared) {
        return of(compared, 0);
    }

    /** Returns a value of one thing, in the order in which the values were measured. */
    public double of(K compared, int index) {
        double[] all = values.get(compared);
        if (all == null) {
            throw new IllegalArgumentException(
                    "%s was not measured; measured were %s".formatted(compared, values.keySet()));
        }
        return all[index];
    }
}
