package org.fleetgrad.benchmarks.figures;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Rounds in which the compared things take turns, because machines are noisy.
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

    /** Returns what was measured of each thing, in the order of the values. */
    public Comparison<K> measure(Measurement<K> measurement) throws Exception {
        Map<K, double[][]> all = new LinkedHashMap<>();
        compared.forEach(each -> all.put(each, new double[count][]));
        for (int round = 0; round < count; round++) {
            for (Map.Entry<K, double[][]> each : all.entrySet()) {
                each.getValue()[round] = measurement.of(each.getKey());
            }
        }
        Map<K, List<Values>> measured = new LinkedHashMap<>();
        all.forEach((each, rounds) -> measured.put(each, columns(rounds)));
        return new Comparison<>(measured);
    }

    private static List<Values> columns(double[][] rounds) {
        return IntStream.range(0, rounds[0].length)
                .mapToObj(value -> Values.of(
                        Arrays.stream(rounds).mapToDouble(round -> round[value]).toArray()))
                .toList();
    }
}
