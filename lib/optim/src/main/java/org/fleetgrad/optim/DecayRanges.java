package org.fleetgrad.optim;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The positions of a parameter vector where weight decay acts, as ranges: adjacent tensors share a range. The others
 * are left out, as biases and the scales of normalization often are, and a network's state always is.
 *
 * <p>A position without decay whose gradient is always 0 keeps its bits, with any optimizer whose epsilon is above 0
 * and with any staleness rule: nothing else moves it, and nothing is computed across values. Immutable and thread-safe.
 */
public final class DecayRanges {

    /** Where ranges begin; ranges with an even index are decayed, the others not. The last one is the size. */
    private final int[] begins;

    private DecayRanges(int[] begins) {
        this.begins = begins;
    }

    /** A loop over the elements from {@code from} (inclusive) to {@code to} (exclusive), all with one decay. */
    @FunctionalInterface
    interface Loop {
        void run(int from, int to, float decay);
    }

    /** Returns the ranges of {@code size} parameters that are all decayed. */
    public static DecayRanges all(int size) {
        return without(size, new BitSet());
    }

    /**
     * Returns the ranges of {@code size} parameters of which some are not decayed.
     *
     * @param undecayed the positions without decay
     * @throws IllegalArgumentException if one of these positions is not below {@code size}
     */
    public static DecayRanges without(int size, BitSet undecayed) {
        Checks.notNegative("the number of parameters", size);
        if (undecayed.length() > size) {
            throw new IllegalArgumentException("there are %d parameters, and place %d is to have no weight decay"
                    .formatted(size, undecayed.length() - 1));
        }
        int[] begins = new int[2 * undecayed.cardinality() + 2];
        int count = 1;
        int at = 0;
        for (boolean isDecayed = true; at < size; isDecayed = !isDecayed) {
            int end = isDecayed ? undecayed.nextSetBit(at) : undecayed.nextClearBit(at);
            at = end < 0 ? size : Math.min(end, size);
            begins[count++] = at;
        }
        return new DecayRanges(Arrays.copyOf(begins, count));
    }

    /** Returns the number of parameters. */
    public int size() {
        return begins[begins.length - 1];
    }

    /** Returns the number of parameters with decay. */
    public int decayed() {
        int decayed = 0;
        for (int i = 0; i + 1 < begins.length; i += 2) {
            decayed += begins[i + 1] - begins[i];
        }
        return decayed;
    }

    /**
     * Runs a loop over every element from {@code from} (inclusive) to {@code to} (exclusive), once, with {@code decay}
     * or with 0.
     */
    void each(int from, int to, float decay, Loop loop) {
        eachOr(from, to, decay, 0, loop);
    }

    /** Runs a loop like {@link #each}, with {@code decay} or, where there is none, with {@code without}. */
    void eachOr(int from, int to, float decay, float without, Loop loop) {
        if (Float.compare(decay, without) == 0) {
            loop.run(from, to, decay);
            return;
        }
        int found = Arrays.binarySearch(begins, from);
        // Among several equal begins, which empty ranges have, any will do: empty ranges are skipped.
        int range = found >= 0 ? found : -found - 2;
        for (int at = from; at < to; range++) {
            int end = range + 1 < begins.length ? Math.min(begins[range + 1], to) : to;
            if (end > at) {
                loop.run(at, end, range % 2 == 0 ? decay : without);
                at = end;
            }
        }
    }
}
