package org.fleetgrad.benchmarks.figures;

import java.util.Map;

/**
 * The medians of what was compared.
 *
 * @param <K> what tells the compared apart
 */
public final class Medians<K> {

    private final Map<K, double[]> values;

    Medians(Map<K, double[]> values) {
        this.values = values;
    }

    /** Returns the only or first value of one of the compared. */
    public double of(K compared) {
        return of(compared, 0);
    }

    /** Returns a value of one of the compared, in the order in which they were measured. */
    public double of(K compared, int index) {
        double[] all = values.get(compared);
        if (all == null) {
            throw new IllegalArgumentException("%s was not measured; %s were".formatted(compared, values.keySet()));
        }
        return all[index];
    }
}
