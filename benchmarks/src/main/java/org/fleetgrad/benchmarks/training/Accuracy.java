package org.fleetgrad.benchmarks.training;

import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.idx.IdxDataset;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorSet;

/** Computes the held-out accuracy of LeNet-5 with the workers' network code. For one thread. */
public final class Accuracy implements AutoCloseable {

    private static final int BATCH = 500;

    private final Network network = Libtorch.open(Networks.usual("lenet5"), Device.CPU);
    private final HeldOut heldOut;

    public Accuracy(HeldOut heldOut) {
        this.heldOut = heldOut;
    }

    /** Prepares the held-out samples of a dataset. */
    public static Accuracy on(IdxDataset dataset) {
        return new Accuracy(HeldOut.of(
                dataset.test(),
                Normalization.of(dataset.train()),
                dataset.test().count()));
    }

    /** Returns the share of the samples answered right. */
    public double of(TensorSet parameters) {
        network.load(parameters);
        int right = 0;
        for (int from = 0; from < heldOut.count(); from += BATCH) {
            HeldOut batch = heldOut.part(from, Math.min(BATCH, heldOut.count() - from));
            right += WorkerAnswers.of(network, batch).right(batch.labels());
        }
        return (double) right / heldOut.count();
    }

    @Override
    public void close() {
        network.close();
    }
}
