package org.fleetgrad.networks.layer;

import java.util.List;
import java.util.Optional;
import org.fleetgrad.networks.layer.Sequential.Part;

/**
 * A tensor of a layer.
 *
 * @param name     relative to the layer, such as {@code weight}
 * @param shape    dimensions, outermost first
 * @param initial  its initial values
 * @param momentum if it is state, which no optimizer steps: the share of one batch's statistics
 */
public record LayerTensor(String name, List<Long> shape, InitialValues initial, Optional<Float> momentum) {

    public LayerTensor {
        shape = List.copyOf(shape);
    }

    /** Describes a tensor that the optimizer steps. */
    static LayerTensor trainable(String name, InitialValues initial, long... shape) {
        return new LayerTensor(name, boxed(shape), initial, Optional.empty());
    }

    /** Describes a tensor of state. */
    static LayerTensor state(String name, InitialValues initial, float momentum, long... shape) {
        return new LayerTensor(name, boxed(shape), initial, Optional.of(momentum));
    }

    private static List<Long> boxed(long[] shape) {
        return java.util.Arrays.stream(shape).boxed().toList();
    }

    /** Returns the same tensor, with its layer's name as prefix. */
    LayerTensor within(String layer) {
        return new LayerTensor(Part.join(layer, name), shape, initial, momentum);
    }
}
