package org.fleetgrad.networks.block;

import java.util.List;
import org.fleetgrad.networks.layer.LayerTensor;
import org.fleetgrad.networks.layer.Sequential;

/**
 * Layers of a network that stay together when it is cut. Immutable.
 *
 * @param name   of its first layer with weights, such as {@code features.4} or {@code layer2.0}
 * @param layers under their full names, so that their tensors have the same names as in the network
 * @param input  shape of a sample before the block, such as [channels, height, width]
 * @param output shape of a sample after the block
 */
public record Block(String name, Sequential layers, List<Integer> input, List<Integer> output) {

    public Block {
        input = List.copyOf(input);
        output = List.copyOf(output);
    }

    /** Returns its parameters and its state, in the order of the layers. */
    public List<LayerTensor> tensors() {
        return layers.tensors();
    }

    /** Returns the number of values that an optimizer steps. */
    public long parameterCount() {
        return count(false);
    }

    /** Returns the number of values that are state. */
    public long stateCount() {
        return count(true);
    }

    private long count(boolean isState) {
        return tensors().stream()
                .filter(tensor -> tensor.momentum().isPresent() == isState)
                .mapToLong(tensor -> tensor.shape().stream().reduce(1L, Math::multiplyExact))
                .sum();
    }
}
