package org.fleetgrad.networks;

import java.util.List;
import org.fleetgrad.networks.block.Block;
import org.fleetgrad.networks.block.Blocks;
import org.fleetgrad.networks.layer.LayerTensor;
import org.fleetgrad.networks.layer.Sequential;

/**
 * A network as data, without the code that computes it. Stateless and thread-safe. {@link LayeredNetwork} creates one from
 * layers.
 */
public interface NetworkDefinition {

    /** Returns the inputs, outputs, parameters and state of the network. */
    NetworkSpec spec();

    /**
     * Returns the layers, from an image to the logits; the names of their tensors are those of the layout.
     */
    Sequential layers();

    /**
     * Draws parameters as PyTorch initializes its layers, in the order of the spec's layout; state has PyTorch's initial
     * values.
     *
     * @param seed the same seed gives the same bits everywhere, so it does not matter which worker puts the parameters
     *     first
     */
    float[] initialParameters(long seed);

    /**
     * Draws only one tensor: the same values as in {@link #initialParameters}.
     *
     * @throws IllegalArgumentException if there is no such tensor
     */
    float[] initialValues(String tensor, long seed);

    /**
     * Returns the blocks, from an image to the logits: the pieces between which the network can be cut into stages. Joined
     * they have each layer and each tensor once, in the same order.
     */
    default List<Block> blocks() {
        return Blocks.of(layers(), spec().inputShape());
    }

    /**
     * Returns the head: the names of the tensors of the last linear layer, whose shapes depend on the number of classes.
     * None if there is no linear layer.
     */
    default List<String> head() {
        return layers().lastLinear().stream().map(LayerTensor::name).toList();
    }
}
