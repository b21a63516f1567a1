package org.fleetgrad.networks;

/** Turns logits into probabilities. */
public final class Softmax {

    private Softmax() {}

    /**
     * Computes {@code exp(x_i - max) / sum_j exp(x_j - max)} in float64; subtracting the maximum prevents overflow.
     *
     * @param logits one sample's, at least one
     * @return the same number of values, which sum to 1
     */
    public static float[] probabilities(float[] logits) {
        double largest = Double.NEGATIVE_INFINITY;
        for (float logit : logits) {
            largest = Math.max(largest, logit);
        }
        double sum = 0;
        for (float logit : logits) {
            sum += Math.exp(logit - largest);
        }
        float[] probabilities = new float[logits.length];
        for (int i = 0; i < logits.length; i++) {
            probabilities[i] = (float) (Math.exp(logits[i] - largest) / sum);
        }
        return probabilities;
    }
}
