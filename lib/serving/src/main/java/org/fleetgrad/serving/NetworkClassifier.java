package org.fleetgrad.serving;

import org.fleetgrad.libtorch.Network;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * A classifier over libtorch.
 *
 * @param network the instance; closed with this classifier
 */
public record NetworkClassifier(Network network) implements Classifier {

    @Override
    public void load(TensorSet parameters) {
        network.load(parameters);
    }

    @Override
    public float[] logits(float[] images, int count) {
        return network.logits(images, count);
    }

    @Override
    public void close() {
        network.close();
    }
}
