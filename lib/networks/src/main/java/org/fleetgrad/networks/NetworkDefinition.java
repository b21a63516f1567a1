package org.fleetgrad.networks;

import org.fleetgrad.networks.layer.Sequential;

/** A network as data, without what computes it. Stateless and thread-safe. {@link LayeredNetwork} makes one of layers. */
public interface NetworkDefinition {

    /** Returns the inputs, outputs, parameters and state of the network. */
    NetworkSpec spec();

    /**
     * Returns the layers, from an image to the logits. The outermost parts are the stages at which the network can be cut;
     * the names of their tensors are those of the layout.
     */
    Sequential layers();

    /**
     * Draws parameters as PyTorch initializes its layers, in the order of the spec's layout; state begins as PyTorch's.
     *
     * @param seed the same seed gives the same bits everywhere, so it does not matter which worker puts the parameters
     *     first
     */
    float[] initialParameters(long seed);
}
