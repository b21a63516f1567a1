package org.fleetgrad.worker.colocated;

import org.fleetgrad.libtorch.Network;
import org.fleetgrad.libtorch.Network.NetworkCopy;
import org.fleetgrad.libtorch.Network.NetworkReader;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * A network that is trained and served: every load and every batch of the training goes through {@link
 * ColocatedPredictor}. The training sees an ordinary network, and computes the same bits.
 */
final class ColocatedNetwork implements Network {

    private final Network trained;
    private final ColocatedPredictor predictor;

    ColocatedNetwork(Network trained, ColocatedPredictor predictor) {
        this.trained = trained;
        this.predictor = predictor;
    }

    @Override
    public NetworkSpec spec() {
        return trained.spec();
    }

    @Override
    public void load(TensorSet parameters) {
        predictor.load(trained, parameters);
    }

    @Override
    public float accumulate(float[] images, float[] targets, int count, long dropoutSeed, float labelSmoothing) {
        return predictor.compute(() -> trained.accumulate(images, targets, count, dropoutSeed, labelSmoothing));
    }

    @Override
    public void drainGradient(float[] target, float scale) {
        trained.drainGradient(target, scale);
    }

    @Override
    public void discardGradient() {
        trained.discardGradient();
    }

    @Override
    public float[] logits(float[] images, int count) {
        return predictor.compute(() -> trained.logits(images, count));
    }

    @Override
    public NetworkReader live() {
        return trained.live();
    }

    @Override
    public NetworkCopy copy() {
        return trained.copy();
    }

    @Override
    public void close() {
        predictor.retire();
        trained.close();
    }
}
