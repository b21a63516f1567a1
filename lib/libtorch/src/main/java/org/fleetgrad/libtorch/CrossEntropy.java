package org.fleetgrad.libtorch;

import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.jni.JniUtils;
import org.fleetgrad.networks.Task;

/** The loss of a batch: the mean of -log softmax(logits)[label] over its predictions, of which a token is one. */
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
     * @param targets at least {@code predictions} of them
     * @throws IllegalArgumentException if one is not a class, or if none counts
     */
    static long[] labels(float[] targets, int predictions, Task task) {
        boolean mayIgnore = task.predictions() > 1;
        boolean isAnyCounted = false;
        long[] labels = new long[predictions];
        for (int i = 0; i < predictions; i++) {
            long label = (long) targets[i];
            boolean isIgnored = mayIgnore && label == Task.IGNORED_LABEL;
            if (label != targets[i] || (!isIgnored && (label < 0 || label >= task.classes()))) {
                throw new IllegalArgumentException("label %s of sample %d is not one of the %d classes"
                        .formatted(shown(targets[i]), i / task.predictions(), task.classes()));
            }
            isAnyCounted |= !isIgnored;
            labels[i] = label;
        }
        if (!isAnyCounted) {
            throw new IllegalArgumentException(
                    "all %d labels of a batch are %d, so it has no loss".formatted(predictions, Task.IGNORED_LABEL));
        }
        return labels;
    }

    private static String shown(float label) {
        return label == (long) label ? Long.toString((long) label) : Float.toString(label);
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
     * @param logits  [n, classes], or [n, tokens, classes]
     * @param targets int64 [predictions, 1]
     */
    static PtNDArray mean(PtNDArray logits, PtNDArray targets, float smoothing) {
        if (logits.getShape().dimension() == 3) {
            return Operator.TOKEN_CROSS_ENTROPY.run(logits, targets, scalar(logits.getManager(), smoothing));
        }
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
