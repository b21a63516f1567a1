package org.fleetgrad.libtorch;

import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;

/** The loss of a batch: the mean of -log softmax(logits)[label]. */
final class CrossEntropy {

    private CrossEntropy() {}

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
        return ofLabels.mul(smoothing - 1).sub(ofAll.mul(smoothing));
    }
}
