package org.fleetgrad.networks;

import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.fleetgrad.networks.layer.LayerTensor;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * A network that is defined only by its layers.
 *
 * @param spec   derived from the layers
 * @param layers from an image to the logits
 */
public record LayeredNetwork(NetworkSpec spec, Sequential layers) implements NetworkDefinition {

    /**
     * Makes a network of layers.
     *
     * @param name complete: with classes, input and all other arguments
     * @throws IllegalArgumentException if the layers do not map such images to such logits; the message has the layer and the
     *     shapes
     */
    public static LayeredNetwork of(NetworkName name, Sequential layers) {
        List<Integer> logits;
        try {
            logits = layers.output(name.input());
        } catch (IllegalArgumentException unfit) {
            throw new IllegalArgumentException(
                    "the network '%s' cannot take images of %s: %s".formatted(name, name.input(), unfit.getMessage()));
        }
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
        return new LayeredNetwork(
                new NetworkSpec(name.toString(), name.input(), name.classes(), layout, new ParameterState(momenta)),
                layers);
    }

    @Override
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

    @Override
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
}
