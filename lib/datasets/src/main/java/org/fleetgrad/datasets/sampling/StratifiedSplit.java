package org.fleetgrad.datasets.sampling;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Which samples are trained on, and which are held out: a share of each class, drawn with the same seed each time. Both are in random order:
 * files may be sorted by their labels, and a worker trains on one shard after the other.
 *
 * @param training places of the training samples
 * @param heldOut  places of the held-out samples
 */
public record StratifiedSplit(int[] training, int[] heldOut) {

    /** The share of a dataset that has no held-out samples of its own. */
    public static final double USUAL_SHARE = 0.1;

    /**
     * Splits samples. A class of two or more has at least one sample in each part; a class of one is trained on.
     *
     * @param labels  of the samples
     * @param classes number of classes
     * @param share   of each class that is held out, rounded down, from 0 to below 1; 0 holds out nothing
     */
    public static StratifiedSplit of(int[] labels, int classes, double share) {
        int[] wanted = new int[classes];
        for (int label : labels) {
            wanted[label]++;
        }
        Arrays.setAll(wanted, label -> heldOut(wanted[label], share));
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
        return new StratifiedSplit(training, heldOut);
    }

    private static int heldOut(int count, double share) {
        return share == 0 || count < 2 ? 0 : Math.min(count - 1, Math.max(1, (int) (count * share)));
    }
}
