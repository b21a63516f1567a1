package org.fleetgrad.simulation.worker;

import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;

/** A network that only makes gradients: all of its tensors are trained, and nobody asks it for predictions. */
public abstract class UnaskedNetwork implements Network {

    private final NetworkSpec spec;

    protected UnaskedNetwork(NetworkSpec spec) {
        this.spec = spec;
    }

    @Override
    public NetworkSpec spec() {
        return spec;
    }

    @Override
    public void freeze(FrozenTensors frozen) {
        if (!frozen.isEmpty()) {
            throw new UnsupportedOperationException("frozen tensors");
        }
    }

    @Override
    public TensorLayout trainable() {
        return spec.layout();
    }

    @Override
    public void load(TensorSet parameters) {}

    @Override
    public float[] logits(float[] samples, int count) {
        throw new UnsupportedOperationException("predictions");
    }

    @Override
    public NetworkReader live() {
        throw new UnsupportedOperationException("predictions");
    }

    @Override
    public NetworkCopy copy() {
        throw new UnsupportedOperationException("predictions");
    }

    @Override
    public void close() {}
}
