package org.fleetgrad.protocol.messages;

import java.util.List;

/**
 * The receiver operating characteristic of the second of two classes: one point for each threshold above which a row is predicted as
 * it, from the highest threshold, (0, 0), to the lowest, (1, 1). Points on a line between others, and of many points some, are left out.
 *
 * @param falsePositiveRates of each point: the share of the rows of the first class that are predicted as the second
 * @param truePositiveRates  of each point: the share of the rows of the second class that are predicted as it
 */
public record RocCurve(List<Double> falsePositiveRates, List<Double> truePositiveRates) {

    /** Most points. */
    public static final int MOST_POINTS = 201;

    /**
     * Checks the sizes.
     *
     * @throws IllegalArgumentException if the lists differ in length or are too long
     */
    public RocCurve {
        falsePositiveRates = List.copyOf(falsePositiveRates);
        truePositiveRates = List.copyOf(truePositiveRates);
        if (falsePositiveRates.size() != truePositiveRates.size() || falsePositiveRates.size() > MOST_POINTS) {
            throw new IllegalArgumentException(
                    "a ROC curve has as many false as true positive rates, at most %d; it has %d and %d"
                            .formatted(MOST_POINTS, falsePositiveRates.size(), truePositiveRates.size()));
        }
    }
}
