package org.fleetgrad.protocol.encoding;

import java.util.Arrays;

/**
 * Finds the k-th largest magnitude in three passes over the values, without copying them: a radix selection over the
 * bits of |v|, which sort like |v|. It takes the same time for any values.
 */
final class Selection {

    /** Bits 30 to 20, 19 to 10 and 9 to 0. */
    private static final int[] SHIFTS = {20, 10, 0};

    private final int[] histogram = new int[1 << 11];
    private int threshold;
    private int ties;

    /** Finds the {@code kept}-th largest magnitude of {@code count} values, 1 or more. */
    void select(float[] values, int begin, int count, int kept) {
        int prefix = 0;
        int prefixShift = 31;
        int left = kept;
        for (int shift : SHIFTS) {
            int mask = (1 << (prefixShift - shift)) - 1;
            Arrays.fill(histogram, 0);
            for (int i = begin; i < begin + count; i++) {
                int magnitude = magnitude(values[i]);
                if (magnitude >>> prefixShift == prefix) {
                    histogram[magnitude >>> shift & mask]++;
                }
            }
            int digit = mask;
            while (histogram[digit] < left) {
                left -= histogram[digit];
                digit--;
            }
            prefix = prefix << (prefixShift - shift) | digit;
            prefixShift = shift;
        }
        threshold = prefix;
        ties = left;
    }

    /** Returns the bits of the k-th largest magnitude. */
    int threshold() {
        return threshold;
    }

    /** Returns how many values of exactly that magnitude belong to the k largest. */
    int ties() {
        return ties;
    }

    static int magnitude(float value) {
        return Float.floatToRawIntBits(value) & 0x7fffffff;
    }
}
