package org.fleetgrad.datasets.synth;

import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.sampling.BatchSampler;

/** A linear classifier trained by stochastic gradient descent on the cross entropy, sample by sample. */
final class SoftmaxRegression {

    private final int inputs;
    private final int classes;
    private final float[][] weights;
    private final float[] biases;
    private final float[] input;
    private final ImageSamples samples;
    private final Normalization normalization;

    SoftmaxRegression(ImageSamples samples, int classes) {
        this.samples = samples;
        this.normalization = Normalization.of(samples);
        this.inputs = samples.imageBytes();
        this.classes = classes;
        this.weights = new float[classes][inputs];
        this.biases = new float[classes];
        this.input = new float[inputs];
    }

    /** The step size falls linearly to zero, so that the last epochs converge. */
    void train(int epochs, float firstStep) {
        long steps = (long) epochs * samples.count();
        long step = 0;
        for (int epoch = 0; epoch < epochs; epoch++) {
            for (int[] batch : new BatchSampler(samples.count(), 1, 1).epoch(epoch)) {
                float rate = firstStep * (1 - (float) step++ / steps);
                descend(batch[0], rate);
            }
        }
    }

    double accuracy(ImageSamples test) {
        int right = 0;
        for (int i = 0; i < test.count(); i++) {
            double[] scores = scores(test, i);
            int best = 0;
            for (int k = 1; k < classes; k++) {
                best = scores[k] > scores[best] ? k : best;
            }
            right += best == test.label(i) ? 1 : 0;
        }
        return (double) right / test.count();
    }

    private void descend(int index, float rate) {
        double[] scores = scores(samples, index);
        double largest = Double.NEGATIVE_INFINITY;
        for (double score : scores) {
            largest = Math.max(largest, score);
        }
        double sum = 0;
        for (int k = 0; k < classes; k++) {
            scores[k] = Math.exp(scores[k] - largest);
            sum += scores[k];
        }
        for (int k = 0; k < classes; k++) {
            float error = (float) (scores[k] / sum) - (k == samples.label(index) ? 1 : 0);
            float scale = rate * error / 28;
            for (int j = 0; j < inputs; j++) {
                weights[k][j] -= scale * input[j];
            }
            biases[k] -= rate * error;
        }
    }

    private double[] scores(ImageSamples from, int index) {
        normalization.normalize(from, index, input, 0);
        double[] scores = new double[classes];
        for (int k = 0; k < classes; k++) {
            float score = biases[k];
            for (int j = 0; j < inputs; j++) {
                score += weights[k][j] * input[j];
            }
            scores[k] = score;
        }
        return scores;
    }
}
