package org.fleetgrad.benchmarks.training;

import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.datasets.idx.IdxDataset;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorSet;

/** Computes the held-out accuracy of a model with the workers' network code. For one thread. */
public final class Accuracy implements AutoCloseable {

    private static final int BATCH = 500;

    private final Network network = Libtorch.open(Networks.usual("lenet5"), Device.CPU);
    private final Normalization normalization;
    private final Samples test;

    /** Prepares these samples, with the workers' normalization. */
    public Accuracy(Normalization normalization, Samples test) {
        this.normalization = normalization;
        this.test = test;
    }

    /** Prepares the held-out samples of a dataset. */
    public static Accuracy on(IdxDataset dataset) {
        return new Accuracy(Normalization.of(dataset.train()), dataset.test());
    }

    /** Returns the share of the samples answered right. */
    public double of(TensorSet parameters) {
        network.load(parameters);
        float[] images = new float[BATCH * test.imageBytes()];
        int right = 0;
        for (int from = 0; from < test.count(); from += BATCH) {
            int count = Math.min(BATCH, test.count() - from);
            for (int i = 0; i < count; i++) {
                normalization.normalize(test, from + i, images, i * test.imageBytes());
            }
            float[] logits = network.logits(images, count);
            int classes = network.spec().classes();
            for (int i = 0; i < count; i++) {
                right += largest(logits, i * classes, classes) == test.label(from + i) ? 1 : 0;
            }
        }
        return (double) right / test.count();
    }

    private static int largest(float[] logits, int from, int classes) {
        int best = 0;
        for (int i = 1; i < classes; i++) {
            if (logits[from + i] > logits[from + best]) {
                best = i;
            }
        }
        return best;
    }

    @Override
    public void close() {
        network.close();
    }
}
