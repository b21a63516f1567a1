package org.fleetgrad.benchmarks.figures;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Rounds in which those that are compared take turns, since the machines at hand are noisy: each one's value is the median
 * of its own.
 *
 * @param <K> what tells the compared apart
 */
public final class Rounds<K> {

    private final int count;
    private final List<K> compared;

    /** Compares these, in this order within a round. */
    public Rounds(int count, List<K> compared) {
        if (count < 1) {
            throw new IllegalArgumentException("there must be 1 round or more; there are " + count);
        }
        this.count = count;
        this.compared = List.copyOf(compared);
    }

    /** Measures one of the compared, once. */
    @FunctionalInterface
    public interface Measurement<K> {
        /** Returns one round's values of it, always as many, such as a latency and a rate. */
        double[] of(K compared) throws Exception;
    }

    /** Returns the medians of each, in the order of the values. */
    public Medians<K> medians(Measurement<K> measurement) throws Exception {
        Map<K, double[][]> all = new LinkedHashMap<>();
        compared.forEach(each -> all.put(each, new double[count][]));
        for (int round = 0; round < count; round++) {
            for (Map.Entry<K, double[][]> each : all.entrySet()) {
                each.getValue()[round] = measurement.of(each.getKey());
            }
        }
        Map<K, double[]> medians = new LinkedHashMap<>();
        all.forEach((each, rounds) -> medians.put(each, medians(rounds)));
        return new Medians<>(medians);
    }

    private static double[] medians(double[][] rounds) {
        double[] medians = new double[rounds[0].length];
        for (int value = 0; value < medians.length; value++) {
            double[] column = new double[rounds.length];
            for (int round = 0; round < rounds.length; round++) {
                column[round] = rounds[round][value];
            }
            medians[value] = Figure.median(column);
        }
        return medians;
    }
}
