package org.fleetgrad.serving.evaluation;

/**
 * The logits of one sample, within those of a batch.
 *
 * @param values of the batch
 * @param from   place of the sample's first
 * @param count  number of the sample's
 */
record Logits(float[] values, int from, int count) {

    /**
     * Returns how many classes rank before a class: those with larger logits, and of equal logits those with smaller numbers.
     */
    int rank(int label) {
        float own = values[from + label];
        int before = 0;
        for (int i = 0; i < count; i++) {
            float other = values[from + i];
            before += other > own || (other == own && i < label) ? 1 : 0;
        }
        return before;
    }

    /** Computes -log softmax(logits)[label] = log(sum(exp(s - max))) - (s[label] - max), in float64. */
    double crossEntropy(int label) {
        double max = Double.NEGATIVE_INFINITY;
        for (int i = from; i < from + count; i++) {
            max = Math.max(max, values[i]);
        }
        double sum = 0;
        for (int i = from; i < from + count; i++) {
            sum += Math.exp(values[i] - max);
        }
        return Math.log(sum) - (values[from + label] - max);
    }
}
