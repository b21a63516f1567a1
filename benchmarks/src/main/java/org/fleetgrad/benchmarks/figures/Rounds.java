package org.fleetgrad.benchmarks.figures;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Rounds in which the compared things take turns, because machines are noisy: the value of each is the median over its
 * rounds.
 *
 * @param <K> identifies the compared things
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

    /** Measures one thing, once. */
    @FunctionalInterface
    public interface Measurement<K> {
        /** Returns the values of one round, such as a latency and a rate; always the same number of values. */
        double[] of(K compared) throws Exception;
    }

    /** Returns the medians of each thing, in the order of the values. */
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
