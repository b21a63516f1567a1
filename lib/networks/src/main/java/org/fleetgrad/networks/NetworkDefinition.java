package org.fleetgrad.networks;

import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.fleetgrad.networks.block.Block;
import org.fleetgrad.networks.layer.LayerTensor;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * A network as data, without the code that computes it: only its layers define it. Immutable and thread-safe.
 *
 * @param spec   derived from the layers: the inputs, outputs, parameters and state of the network
 * @param layers from an image to the logits; the names of their tensors are those of the layout
 */
public record NetworkDefinition(NetworkSpec spec, Sequential layers) {

    /**
     * Makes a network of layers.
     *
     * @param name complete: with classes, input and all other arguments
     * @throws IllegalArgumentException if the layers do not map such images to such logits; the message has the layer and the
     *     shapes
     */
    public static NetworkDefinition of(NetworkName name, Sequential layers) {
        List<Integer> logits = output(name, layers);
        if (!logits.equals(List.of(name.classes()))) {
            throw new IllegalArgumentException(
                    "the network '%s' must end in [%d]; it ends in %s".formatted(name, name.classes(), logits));
        }
        SortedMap<String, Float> momenta = new TreeMap<>();
        layers.tensors()
                .forEach(tensor -> tensor.momentum().ifPresent(momentum -> momenta.put(tensor.name(), momentum)));
        TensorLayout layout = TensorLayout.canonical(layers.tensors().stream()
                .map(tensor -> new TensorSpec(tensor.name(), DType.F32, tensor.shape()))
                .toList());
        return new NetworkDefinition(
                new NetworkSpec(name.toString(), name.input(), name.classes(), layout, new ParameterState(momenta)),
                layers);
    }

    /**
     * Returns the output shape of a network's first layers, such as the number of features for the next layer.
     *
     * @throws IllegalArgumentException if they cannot take the images that the name states
     */
    public static List<Integer> output(NetworkName name, Sequential layers) {
        try {
            return layers.output(name.input());
        } catch (IllegalArgumentException unfit) {
            throw new IllegalArgumentException(
                    "the network '%s' cannot take images of %s: %s".formatted(name, name.input(), unfit.getMessage()));
        }
    }

    /**
     * Draws parameters as PyTorch initializes its layers, in the order of the spec's layout; state has PyTorch's initial
     * values.
     *
     * @param seed the same seed gives the same bits everywhere, so it does not matter which worker puts the parameters
     *     first
     */
    public float[] initialParameters(long seed) {
        float[] values = new float[Math.toIntExact(spec.layout().elementCount())];
        layers.tensors().forEach(tensor -> {
            int index = spec.layout().indexOf(tensor.name()).orElseThrow();
            int from = Math.toIntExact(spec.layout().byteOffset(index) / Float.BYTES);
            int count = Math.toIntExact(spec.layout().specs().get(index).elementCount());
            tensor.initial().draw(values, from, from + count, random(tensor, seed));
        });
        return values;
    }

    /**
     * Draws only one tensor: the same values as in {@link #initialParameters}.
     *
     * @throws IllegalArgumentException if there is no such tensor
     */
    public float[] initialValues(String name, long seed) {
        LayerTensor tensor = layers.tensors().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("%s has no tensor '%s'".formatted(spec.name(), name)));
        int count = Math.toIntExact(tensor.shape().stream().reduce(1L, Math::multiplyExact));
        float[] values = new float[count];
        tensor.initial().draw(values, 0, count, random(tensor, seed));
        return values;
    }

    /** The name of the tensor is part of the seed: adding or removing a tensor does not change the bits of others. */
    private static SplittableRandom random(LayerTensor tensor, long seed) {
        return new SplittableRandom(seed * 0x9E3779B97F4A7C15L + tensor.name().hashCode());
    }

    /**
     * Returns the blocks, from an image to the logits: the pieces between which the network can be cut into stages. Joined
     * they have each layer and each tensor once, in the same order.
     */
    public List<Block> blocks() {
        return Block.of(layers, spec.inputShape());
    }

    /**
     * Returns the head: the names of the tensors of the last linear layer, whose shapes depend on the number of classes.
     * None if there is no linear layer.
     */
    public List<String> head() {
        return layers.lastLinear().stream().map(LayerTensor::name).toList();
    }
}
