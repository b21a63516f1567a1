package org.fleetgrad.networks;

/** Turns log-odds into probabilities. */
public final class Sigmoid {

    private Sigmoid() {}

    /**
     * Computes {@code 1 / (1 + exp(-x))} of each in float64; where the exponential overflows, the probability is 0.
     *
     * @param logits of labels, of any number of samples
     * @return the same number of values, from 0 to 1
     */
    public static float[] probabilities(float[] logits) {
        float[] probabilities = new float[logits.length];
        for (int i = 0; i < logits.length; i++) {
            probabilities[i] = (float) (1 / (1 + Math.exp(-(double) logits[i])));
        }
        return probabilities;
    }
}
