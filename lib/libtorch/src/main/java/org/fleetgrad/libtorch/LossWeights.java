package org.fleetgrad.libtorch;

import org.fleetgrad.networks.ClassWeights;

/**
 * Factors of the samples' losses in the mean over a batch: of a sample, that of its class times its own.
 *
 * <pre>loss = sum_i(w_i loss_i) / sum_i(w_i)</pre>
 *
 * @param classes factors of the classes
 * @param samples one for each sample of the batch, further ones are not read; empty if each is 1
 */
public record LossWeights(ClassWeights classes, float[] samples) {

    /** All samples count alike. */
    public static final LossWeights EQUAL = new LossWeights(ClassWeights.EQUAL, new float[0]);

    /** Returns whether all samples count alike, whatever their classes are. */
    public boolean areEqual() {
        return classes.areEqual() && samples.length == 0;
    }

    /** Returns the factor of a sample. */
    public double of(int sample, float target) {
        return (double) (classes.areEqual() ? 1 : classes.of((int) target)) * ofSample(sample);
    }

    /** Returns a sample's own factor. */
    float ofSample(int sample) {
        return samples.length == 0 ? 1 : samples[sample];
    }

    /** Returns the sum of the factors of a batch, whose samples have one target each. */
    public double sum(float[] targets, int count) {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += of(i, targets[i]);
        }
        return sum;
    }
}
