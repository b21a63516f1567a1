package org.fleetgrad.benchmarks.figures;

import java.util.List;
import java.util.Map;

/**
 * What was measured of things that took turns.
 *
 * @param <K> identifies the compared things
 */
public final class Comparison<K> {

    private final Map<K, List<Values>> values;

    Comparison(Map<K, List<Values>> values) {
        this.values = values;
    }

    /** Returns the only or first value of one thing. */
    public Values of(K compared) {
        return of(compared, 0);
    }

    /** Returns a value of one thing, in the order in which the values were measured. */
    public Values of(K compared, int index) {
        List<Values> all = values.get(compared);
        if (all == null) {
            throw new IllegalArgumentException(
                    "%s was not measured; measured were %s".formatted(compared, values.keySet()));
        }
        return all.get(index);
    }
}
