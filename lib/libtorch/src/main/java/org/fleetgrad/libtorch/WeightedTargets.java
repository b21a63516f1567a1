package org.fleetgrad.libtorch;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.JniUtils;
import org.fleetgrad.networks.Question.Regression;
import org.fleetgrad.networks.Task;

/**
 * Targets whose losses have weights. The loss is their sum, so that the gradients of several batches add up to that of one
 * large batch.
 *
 * @param targets   without weights
 * @param each      computes a matrix whose sum, with {@code factors}, is the loss
 * @param factors   of that matrix, row-major, one row for each sample
 * @param divisor   sum of the samples' weights; 1 if all are 0
 */
record WeightedTargets(Targets targets, Losses each, float[] factors, double divisor) implements Targets {

    /** What is summed up. */
    @FunctionalInterface
    interface Losses {

        /** Computes [samples, n] of the outputs of a batch. */
        PtNDArray of(PtNDArray outputs);
    }

    /**
     * Checks that samples can have such weights.
     *
     * @throws IllegalArgumentException if they cannot; the message has the numbers
     */
    static void requireFit(LossWeights weights, int count, Task task) {
        if (task.predictions() > 1) {
            throw new IllegalArgumentException(
                    "loss weights are for samples with one target; these are " + task.samples());
        }
        int classes = weights.classes().factors().size();
        if (classes > 0 && task.question() instanceof Regression) {
            throw new IllegalArgumentException(
                    "class weights are for classes; these are numbers, and there are %d".formatted(classes));
        }
        if (classes > task.classes()) {
            throw new IllegalArgumentException(
                    "there are weights of %d classes; the network has %d".formatted(classes, task.classes()));
        }
        if (weights.samples().length > 0 && weights.samples().length < count) {
            throw new IllegalArgumentException("a batch of %d samples takes %d loss weights; there are %d"
                    .formatted(count, count, weights.samples().length));
        }
    }

    /**
     * Weighs classes as PyTorch does: with smoothing e over K classes, the loss of a sample is {@code (1 - e) w[label] (-log
     * p[label]) + e / K sum_k w[k] (-log p[k])}, and the divisor is the sum of {@code w[label]}.
     */
    static WeightedTargets of(Classes classes, int outputs, LossWeights weights) {
        int count = classes.labels().length;
        float[] factors = new float[Math.multiplyExact(count, outputs)];
        double sum = 0;
        for (int i = 0; i < count; i++) {
            int label = (int) classes.labels()[i];
            double ofSample = weights.ofSample(i);
            if (classes.smoothing() > 0) {
                for (int k = 0; k < outputs; k++) {
                    factors[i * outputs + k] = (float) (-ofSample
                            * classes.smoothing()
                            / outputs
                            * weights.classes().of(k));
                }
            }
            double weight = weights.of(i, label);
            factors[i * outputs + label] -= (float) (weight * (1 - classes.smoothing()));
            sum += weight;
        }
        return new WeightedTargets(classes, logits -> logits.logSoftmax(1), factors, divisor(sum));
    }

    /** Weighs numbers. */
    static WeightedTargets of(Numbers numbers, LossWeights weights) {
        float[] factors = new float[numbers.values().length];
        double sum = 0;
        for (int i = 0; i < factors.length; i++) {
            factors[i] = weights.ofSample(i);
            sum += factors[i];
        }
        return new WeightedTargets(numbers, numbers::each, factors, divisor(sum));
    }

    /** A batch without any weight has no mean, and a loss of 0. */
    private static double divisor(double sum) {
        return sum == 0 ? 1 : sum;
    }

    @Override
    public PtNDArray loss(PtNDArray outputs) {
        PtNDManager batch = outputs.getManager();
        int count = Math.toIntExact(outputs.getShape().get(0));
        PtNDArray weights = (PtNDArray) batch.create(factors, new Shape(count, factors.length / count));
        return JniUtils.sum(JniUtils.mul(each.of(outputs), weights));
    }

    @Override
    public int right(float[] outputs) {
        return targets.right(outputs);
    }
}
