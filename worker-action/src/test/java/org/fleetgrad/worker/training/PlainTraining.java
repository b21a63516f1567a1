package org.fleetgrad.worker.training;

import org.fleetgrad.datasets.augment.Augmentation;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.worker.training.TrainingTask.Transfer;

/** The training that most tests need. */
public final class PlainTraining {

    /** Float32, without overlap. */
    public static final Transfer TRANSFER = new Transfer(Encodings.PLAIN, Encodings.PLAIN, false);

    private PlainTraining() {}

    /** Without clipping, smoothing and augmentation. */
    public static Learning learning(int batchSize, int updateInterval, long seed) {
        return new Learning(batchSize, updateInterval, 0, 0, Augmentation.NONE, seed);
    }
}
