package org.fleetgrad.libtorch;

import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.JniUtils;

/** The loss of a batch: the mean of -log softmax(logits)[label]. */
final class CrossEntropy {

    private CrossEntropy() {}

    /**
     * Checks a share of label smoothing.
     *
     * @throws IllegalArgumentException if it is out of range; the message has the number
     */
    static void requireSmoothing(float share) {
        if (!(share >= 0 && share < 1)) {
            throw new IllegalArgumentException("label smoothing is from 0 to below 1; it is %s".formatted(share));
        }
    }

    /**
     * Returns the labels of a batch as libtorch takes them.
     *
     * @throws IllegalArgumentException if there are too few, or one is not a class
     */
    static long[] targets(int[] labels, int count, int classes) {
        if (labels.length < count) {
            throw new IllegalArgumentException(
                    "a batch of %d images takes %d labels; there are %d".formatted(count, count, labels.length));
        }
        long[] targets = new long[count];
        for (int i = 0; i < count; i++) {
            if (labels[i] < 0 || labels[i] >= classes) {
                throw new IllegalArgumentException(
                        "label %d of sample %d is not one of the %d classes".formatted(labels[i], i, classes));
            }
            targets[i] = labels[i];
        }
        return targets;
    }

    /**
     * Counts the samples whose greatest logit is the label's; of equal ones, the first counts.
     *
     * @param logits [n, classes], row-major
     */
    static int correct(float[] logits, long[] targets) {
        int classes = logits.length / targets.length;
        int correct = 0;
        for (int sample = 0; sample < targets.length; sample++) {
            int best = 0;
            for (int label = 1; label < classes; label++) {
                if (logits[sample * classes + label] > logits[sample * classes + best]) {
                    best = label;
                }
            }
            correct += best == targets[sample] ? 1 : 0;
        }
        return correct;
    }

    /**
     * Computes the mean over the batch of {@code (1 - e) (-log p[label]) + e / classes * sum_k (-log p[k])}, as PyTorch's
     * {@code CrossEntropyLoss(label_smoothing=e)}.
     *
     * @param logits  [n, classes]
     * @param targets int64 [n, 1]
     */
    static PtNDArray mean(PtNDArray logits, PtNDArray targets, float smoothing) {
        PtNDArray logs = logits.logSoftmax(1);
        PtNDArray ofLabels = JniUtils.mean(JniUtils.gather(logs, targets, 1));
        if (smoothing == 0) {
            return JniUtils.neg(ofLabels);
        }
        PtNDArray ofAll = JniUtils.mean(logs);
        PtNDArray labels = JniUtils.mul(ofLabels, scalar(logits.getManager(), smoothing - 1));
        return labels.sub(JniUtils.mul(ofAll, scalar(logits.getManager(), smoothing)));
    }

    /**
     * Creates a factor that lives as long as the batch's manager. The backward pass reads it from Java's memory: {@code
     * PtNDArray.mul(Number)} closes its factor at once, and the garbage collector may free it before that pass.
     */
    private static PtNDArray scalar(PtNDManager batch, float factor) {
        return (PtNDArray) batch.create(factor);
    }
}
