package org.fleetgrad.ps.aggregation;

import java.util.List;

/**
 * How the gradients of a step become one.
 *
 * <p>A single worker can move the mean anywhere. The other rules follow the majority. They count each gradient once, however
 * many samples it states, since a Byzantine worker could state any number.
 */
public sealed interface Aggregation {

    /** The mean, weighted by samples: N workers make the same step as one whose batch is the N batches together. */
    record Mean() implements Aggregation {

        @Override
        public boolean needsEach() {
            return false;
        }

        @Override
        public float[] combine(List<float[]> gradients) {
            return CoordinateWise.trimmedMean(gradients, 0);
        }

        @Override
        public String describe() {
            return "mean";
        }
    }

    /**
     * The coordinate-wise median, which tolerates a minority of Byzantine workers (Yin et al., "Byzantine-robust distributed
     * learning: towards optimal statistical rates", ICML 2018). With an even number of gradients, the mean of the two in the
     * middle.
     */
    record Median() implements Aggregation {

        @Override
        public float[] combine(List<float[]> gradients) {
            return CoordinateWise.median(gradients);
        }

        @Override
        public String describe() {
            return "median";
        }
    }

    /**
     * The coordinate-wise mean without the {@code outliers} smallest and largest values (Yin et al., 2018). Of n gradients it
     * drops at most (n - 1) / 2 on each side.
     *
     * @param outliers number of Byzantine workers that it tolerates
     */
    record TrimmedMean(int outliers) implements Aggregation {

        /** Checks the number. */
        public TrimmedMean {
            requirePositive(outliers);
        }

        @Override
        public float[] combine(List<float[]> gradients) {
            return CoordinateWise.trimmedMean(gradients, Math.min(outliers, (gradients.size() - 1) / 2));
        }

        @Override
        public String describe() {
            return "trimmed-mean without %d on each side".formatted(outliers);
        }
    }

    /**
     * The single gradient that is nearest to the others (Blanchard et al., "Machine learning with adversaries: Byzantine
     * tolerant gradient descent", NIPS 2017).
     *
     * @param outliers number of Byzantine workers that it tolerates, if a step has at least 2 {@code outliers} + 3 gradients
     */
    record Krum(int outliers) implements Aggregation {

        /** Checks the number. */
        public Krum {
            requirePositive(outliers);
        }

        @Override
        public float[] combine(List<float[]> gradients) {
            return KrumChoice.of(gradients, outliers);
        }

        @Override
        public String describe() {
            return "krum against " + outliers;
        }
    }

    /** Tells whether the rule must see each gradient, and not only their sum. */
    default boolean needsEach() {
        return true;
    }

    /**
     * Combines gradients of the same length, whose values are finite, into one. A single gradient stays bit-identical. The
     * order of the gradients decides only between gradients that are equally near to the others.
     *
     * @param gradients one or more; their values may be overwritten
     * @return one of these arrays, with the result
     */
    float[] combine(List<float[]> gradients);

    /** Returns the rule and its number in words; two rules that compute the same have the same words. */
    String describe();

    private static void requirePositive(int outliers) {
        if (outliers < 1) {
            throw new IllegalArgumentException("outliers must be 1 or more; it is " + outliers);
        }
    }
}
