package org.fleetgrad.protocol.messages;

import java.util.List;

/**
 * Targets and predictions of some held-out samples, evenly spaced over all, in the units of the target.
 *
 * @param target    name of the column that is predicted
 * @param truth     the target of each sample, as the network learns it: in float32
 * @param predicted the prediction for each sample
 */
public record NumberPairs(String target, List<Double> truth, List<Double> predicted) {

    /** Most pairs. */
    public static final int MOST_PAIRS = 1_000;

    /**
     * Checks the sizes.
     *
     * @throws IllegalArgumentException if the lists differ in length or are too long
     */
    public NumberPairs {
        truth = List.copyOf(truth);
        predicted = List.copyOf(predicted);
        if (truth.size() != predicted.size() || truth.size() > MOST_PAIRS) {
            throw new IllegalArgumentException(
                    "there are as many targets as predictions, at most %d; there are %d and %d"
                            .formatted(MOST_PAIRS, truth.size(), predicted.size()));
        }
    }
}
