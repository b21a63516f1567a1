package org.fleetgrad.optim;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The positions of a parameter vector that have a learning rate of their own, as ranges with a factor each: adjacent
 * values with one factor share a range. A range is stepped as by an optimizer of its own, with the learning rate times
 * the factor: these are PyTorch's parameter groups. Immutable and thread-safe.
 */
public final class RateRanges {

    /** The largest factor; the smallest one is its inverse. */
    public static final double LARGEST = 1e6;

    /** Where ranges begin; the last one is the size. */
    private final int[] begins;

    private final double[] factors;

    private RateRanges(int[] begins, double[] factors) {
        this.begins = begins;
        this.factors = factors;
    }

    /** A loop over the elements from {@code from} (inclusive) to {@code to} (exclusive), all of one range. */
    @FunctionalInterface
    interface Loop {
        void run(int from, int to, int range);
    }

    /** Returns one range of {@code size} parameters, with a factor of 1. */
    public static RateRanges all(int size) {
        return of(new int[] {size}, 1);
    }

    /**
     * Returns ranges that follow each other.
     *
     * @param counts  how many values each has
     * @param factors of the learning rate, one for each
     * @throws IllegalArgumentException if there are not as many factors as counts, a count is negative, or a factor is
     *     not from the inverse of {@link #LARGEST} to it
     */
    public static RateRanges of(int[] counts, double... factors) {
        if (counts.length != factors.length) {
            throw new IllegalArgumentException(
                    "%d ranges have %d factors of the learning rate".formatted(counts.length, factors.length));
        }
        int[] begins = new int[counts.length + 1];
        double[] joined = new double[counts.length];
        int ranges = 0;
        for (int i = 0; i < counts.length; i++) {
            Checks.notNegative("the number of parameters", counts[i]);
            requireFactor(factors[i]);
            if (ranges > 0 && Double.compare(joined[ranges - 1], factors[i]) == 0) {
                begins[ranges] = Math.addExact(begins[ranges], counts[i]);
            } else {
                joined[ranges] = factors[i];
                begins[ranges + 1] = Math.addExact(begins[ranges], counts[i]);
                ranges++;
            }
        }
        return new RateRanges(Arrays.copyOf(begins, ranges + 1), Arrays.copyOf(joined, ranges));
    }

    /**
     * Checks a factor of the learning rate.
     *
     * @throws IllegalArgumentException if it cannot be one; the message says what to write instead
     */
    public static void requireFactor(double factor) {
        if (factor == 0) {
            throw new IllegalArgumentException(
                    "a factor of 0 would step nothing, and send all of it: freeze these tensors instead");
        }
        if (!(factor >= 1 / LARGEST && factor <= LARGEST)) {
            throw new IllegalArgumentException(
                    "a factor of the learning rate is from %s to %s; it is %s".formatted(1 / LARGEST, LARGEST, factor));
        }
    }

    /** Returns the number of parameters. */
    public int size() {
        return begins[begins.length - 1];
    }

    /** Returns the learning rate of each range. */
    float[] rates(float learningRate) {
        float[] rates = new float[factors.length];
        Map<Double, Float> known = new HashMap<>();
        for (int i = 0; i < rates.length; i++) {
            rates[i] = known.computeIfAbsent(factors[i], factor -> rate(learningRate, factor));
        }
        return rates;
    }

    private static float rate(float learningRate, double factor) {
        return factor == 1 ? learningRate : (float) (Decimals.written(learningRate) * factor);
    }

    /** Runs a loop over every element from {@code from} (inclusive) to {@code to} (exclusive), once. */
    void each(int from, int to, Loop loop) {
        int found = Arrays.binarySearch(begins, from);
        // Among several equal begins, which empty ranges have, any will do: empty ranges are skipped.
        int range = found >= 0 ? found : -found - 2;
        for (int at = from; at < to; range++) {
            int end = Math.min(begins[range + 1], to);
            if (end > at) {
                loop.run(at, end, range);
                at = end;
            }
        }
    }

    /** Runs a loop over all elements, large ones on all cores. */
    void eachOnCores(Loop loop) {
        Cores.each(size(), (from, to) -> each(from, to, loop));
    }
}
