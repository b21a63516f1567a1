package org.fleetgrad.serving.evaluation;

import java.util.Arrays;
import java.util.Optional;
import org.fleetgrad.protocol.messages.BinaryFigures;
import org.fleetgrad.protocol.messages.RocCurve;
import org.jspecify.annotations.Nullable;

/**
 * The predictions of two classes, of which the second is looked for. It keeps a float for each row, since the area under the ROC curve
 * compares all rows with each other. Confined to one thread.
 */
final class BinaryScores {

    private final Rows positive = new Rows();
    private final Rows negative = new Rows();

    /**
     * Adds a prediction.
     *
     * @param score      log-odds of the second class; above 0 the row is predicted as it
     * @param isPositive whether the row is of the second class
     */
    void add(float score, boolean isPositive) {
        (isPositive ? positive : negative).add(score);
    }

    BinaryFigures figures() {
        return new BinaryFigures(
                auc(),
                ratio(2 * hits(), predicted() + positives()),
                ratio(hits(), predicted()),
                ratio(hits(), positives()));
    }

    /** Returns the number of rows of the second class that are predicted as it. */
    long hits() {
        return positive.predicted;
    }

    /** Returns the number of rows that are predicted as the second class. */
    long predicted() {
        return positive.predicted + negative.predicted;
    }

    /** Returns the number of rows of the second class. */
    long positives() {
        return positive.count;
    }

    /** A ratio without cases is 0, as scikit-learn's {@code zero_division=0}. */
    static double ratio(long part, long whole) {
        return whole == 0 ? 0 : (double) part / whole;
    }

    /** Returns the ROC curve; empty if all rows are of one class. */
    Optional<RocCurve> roc() {
        return positive.count == 0 || negative.count == 0
                ? Optional.empty()
                : Optional.of(new RocPoints(positive.sorted(), negative.sorted()).curve());
    }

    /**
     * Computes the area as the rank statistic of H. B. Mann and D. R. Whitney 1947: of all pairs of a positive and a negative row, the share
     * in which the positive one has the larger score; equal scores count half.
     */
    private @Nullable Double auc() {
        if (positive.count == 0 || negative.count == 0) {
            return null;
        }
        float[] yes = positive.sorted();
        float[] no = negative.sorted();
        double pairs = 0;
        int below = 0;
        int notAbove = 0;
        for (float score : yes) {
            while (below < no.length && no[below] < score) {
                below++;
            }
            while (notAbove < no.length && no[notAbove] <= score) {
                notAbove++;
            }
            pairs += (below + notAbove) / 2.0;
        }
        return pairs / ((double) yes.length * no.length);
    }

    /** The scores of the rows of one class. */
    private static final class Rows {

        private static final int FIRST = 1024;

        private float[] scores = new float[FIRST];
        private int count;
        private long predicted;

        void add(float score) {
            if (count == scores.length) {
                scores = Arrays.copyOf(scores, scores.length + (scores.length >> 1));
            }
            // Sorting puts -0 before 0, which are equal here.
            scores[count] = score + 0f;
            count++;
            predicted += score > 0 ? 1 : 0;
        }

        float[] sorted() {
            // In place: the area and the curve both ask, and sorting sorted scores is one pass.
            Arrays.sort(scores, 0, count);
            return Arrays.copyOf(scores, count);
        }
    }
}
