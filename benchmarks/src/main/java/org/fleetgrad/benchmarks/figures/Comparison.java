package org.fleetgrad.benchmarks.figures;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What was measured of things that took turns, in rounds, because machines are noisy. */
public final class Comparison<K> {

    private final Map<K, double[][]> rounds = new LinkedHashMap<>();

    /** Measures these things, in this order within a round. */
    public static <K> Comparison<K> of(int rounds, List<K> compared, Measurement<K, double[]> measurement)
            throws Exception {
        if (rounds < 1) {
            throw new IllegalArgumentException("there must be 1 round or more; there are " + rounds);
        }
        Comparison<K> comparison = new Comparison<>();
        compared.forEach(each -> comparison.rounds.put(each, new double[rounds][]));
        for (int round = 0; round < rounds; round++) {
            for (Map.Entry<K, double[][]> each : comparison.rounds.entrySet()) {
                each.getValue()[round] = measurement.of(each.getKey());
            }
        }
        return comparison;
    }

    @FunctionalInterface
    public interface Measurement<K, V> {
        /**
         * Returns the value of one round, or the values, such as a latency and a rate; always the same number of
         * values.
         */
        V of(K compared) throws Exception;
    }

    /** What was measured of two things that took turns. */
    public record Pair(Values ours, Values other) {}

    /** Returns the only or first value of one thing. */
    public Values of(K compared) {
        return of(compared, 0);
    }

    /** Returns a value of one thing, in the order in which the values were measured. */
    public Values of(K compared, int index) {
        double[][] all = rounds.get(compared);
        if (all == null) {
            throw new IllegalArgumentException(
                    "%s was not measured; measured were %s".formatted(compared, rounds.keySet()));
        }
        return Values.of(Arrays.stream(all).mapToDouble(round -> round[index]).toArray());
    }
}
