package org.fleetgrad.networks;

import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.networks.block.Block;
import org.fleetgrad.networks.layer.LayerTensor;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.networks.layer.TiedLinear;
import org.fleetgrad.protocol.NetworkTitle;
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
     * Makes a network that classifies images.
     *
     * @param name complete: with classes, input and all other arguments
     * @throws IllegalArgumentException if the layers do not map such images to such logits; the message has the layer and the
     *     shapes
     */
    public static NetworkDefinition of(NetworkName name, Sequential layers) {
        return of(name, new ImageClassification(name.input(), name.classes()), layers);
    }

    /**
     * Makes a network of layers.
     *
     * @param name complete: with every argument
     * @throws IllegalArgumentException if the layers do not map such samples to such logits, or if a tied layer's tensor is not
     *     another's; the message has the layer and the shapes
     */
    public static NetworkDefinition of(NetworkName name, Task task, Sequential layers) {
        List<Integer> logits = output(name, task, layers);
        if (!logits.equals(task.output())) {
            throw new IllegalArgumentException("the network '%s' must end in %s; it ends in %s"
                    .formatted(NetworkTitle.of(name.toString()), task.output(), logits));
        }
        SortedMap<String, Float> momenta = new TreeMap<>();
        layers.tensors()
                .forEach(tensor -> tensor.momentum().ifPresent(momentum -> momenta.put(tensor.name(), momentum)));
        TensorLayout layout = TensorLayout.canonical(layers.tensors().stream()
                .map(tensor -> new TensorSpec(tensor.name(), DType.F32, tensor.shape()))
                .toList());
        for (TiedLinear tied : layers.tied()) {
            TensorSpec needed = new TensorSpec(tied.tensor(), DType.F32, List.of((long) tied.out(), (long) tied.in()));
            if (!layout.specs().contains(needed)) {
                throw new IllegalArgumentException(
                        "a layer of the network '%s' is tied to '%s' %s, which is not in its layout"
                                .formatted(name, tied.tensor(), needed.shape()));
            }
        }
        return new NetworkDefinition(
                new NetworkSpec(name.toString(), task, layout, new ParameterState(momenta)), layers);
    }

    /**
     * Returns the output shape of the first layers of a network for images, such as the number of features for the next layer.
     *
     * @throws IllegalArgumentException if they cannot take the images that the name states
     */
    public static List<Integer> output(NetworkName name, Sequential layers) {
        return output(name, new ImageClassification(name.input(), name.classes()), layers);
    }

    private static List<Integer> output(NetworkName name, Task task, Sequential layers) {
        try {
            return layers.output(task.input());
        } catch (IllegalArgumentException unfit) {
            throw new IllegalArgumentException("the network '%s' cannot take %s: %s"
                    .formatted(NetworkTitle.of(name.toString()), task.samples(), unfit.getMessage()));
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
