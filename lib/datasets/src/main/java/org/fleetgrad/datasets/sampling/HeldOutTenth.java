package org.fleetgrad.datasets.sampling;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Which samples are trained on and which are held out, where the files do not say it: a tenth of each class, the same each time. The
 * training samples are in random order, the same each time: a file may be sorted by its labels, and a worker trains on one shard
 * after the other.
 *
 * @param training indices of the samples that are trained on
 * @param heldOut  indices of those that are held out
 */
public record HeldOutTenth(int[] training, int[] heldOut) {

    private static final int SHARE = 10;

    /** Holds out a tenth of each class, and at least one sample; of a class of one sample none. */
    public static HeldOutTenth of(int[] labels) {
        int[] wanted = counts(labels);
        Arrays.setAll(wanted, label -> wanted[label] < 2 ? 0 : Math.max(1, wanted[label] / SHARE));
        return draw(labels, wanted);
    }

    /** Holds out none. */
    public static HeldOutTenth none(int samples) {
        return draw(new int[samples], new int[1]);
    }

    private static int[] counts(int[] labels) {
        int[] counts = new int[IntStream.of(labels).max().orElse(0) + 1];
        for (int label : labels) {
            counts[label]++;
        }
        return counts;
    }

    private static HeldOutTenth draw(int[] labels, int[] wanted) {
        int[] heldOut = new int[IntStream.of(wanted).sum()];
        int[] training = new int[labels.length - heldOut.length];
        int held = 0;
        int trained = 0;
        for (int i : SplitMix64.of(0, 0).permutation(labels.length)) {
            if (wanted[labels[i]]-- > 0) {
                heldOut[held++] = i;
            } else {
                training[trained++] = i;
            }
        }
        return new HeldOutTenth(training, heldOut);
    }
}
