package org.fleetgrad.networks.layer;

import java.util.ArrayList;
import java.util.List;

/**
 * Layers one after the other, each with a name.
 *
 * @param parts in the order of computation; no name occurs twice
 */
public record Sequential(List<Part> parts) implements Layer {

    /**
     * A named layer.
     *
     * @param name  the prefix of its tensors, such as {@code conv1}
     * @param layer the layer, or several together
     */
    public record Part(String name, Layer layer) {}

    /** No layers: the output is the input. */
    public static final Sequential IDENTITY = new Sequential(List.of());

    public Sequential {
        parts = List.copyOf(parts);
        if (parts.stream().map(Part::name).distinct().count() < parts.size()) {
            throw new IllegalArgumentException("two layers have one name: " + parts);
        }
    }

    /** Begins with one layer; {@link #then} adds others. */
    public static Sequential of(String name, Layer layer) {
        return IDENTITY.then(name, layer);
    }

    /** Names the layers 0, 1, 2 and so on, as PyTorch's {@code nn.Sequential} does. */
    public static Sequential numbered(List<? extends Layer> layers) {
        List<Part> parts = new ArrayList<>();
        layers.forEach(layer -> parts.add(new Part(Integer.toString(parts.size()), layer)));
        return new Sequential(parts);
    }

    /** Returns these layers and one more. */
    public Sequential then(String name, Layer layer) {
        List<Part> longer = new ArrayList<>(parts);
        longer.add(new Part(name, layer));
        return new Sequential(longer);
    }

    @Override
    public List<LayerTensor> tensors() {
        return parts.stream()
                .flatMap(part -> part.layer().tensors().stream().map(tensor -> tensor.within(part.name())))
                .toList();
    }

    /** Returns the tensors of the last linear layer; none if there is no such layer. */
    public List<LayerTensor> lastLinear() {
        List<LayerTensor> last = List.of();
        for (Part part : parts) {
            List<LayerTensor> found = List.of();
            if (part.layer() instanceof Linear linear) {
                found = linear.tensors();
            } else if (part.layer() instanceof Sequential several) {
                found = several.lastLinear();
            }
            if (!found.isEmpty()) {
                last = found.stream().map(tensor -> tensor.within(part.name())).toList();
            }
        }
        return last;
    }

    @Override
    public List<Integer> output(List<Integer> input) {
        List<Integer> shape = input;
        for (Part part : parts) {
            try {
                shape = part.layer().output(shape);
            } catch (IllegalArgumentException unfit) {
                throw new IllegalArgumentException(part.name() + ": " + unfit.getMessage(), unfit);
            }
        }
        return shape;
    }
}
