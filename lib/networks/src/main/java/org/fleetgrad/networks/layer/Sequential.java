package org.fleetgrad.networks.layer;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Layers one after the other, each with a name.
 *
 * @param parts in the order of computation
 */
public record Sequential(List<Part> parts) implements Layer {

    /**
     * A named layer.
     *
     * @param name  the prefix of its tensors, such as {@code conv1}; empty for a layer whose tensors have none
     * @param layer the layer, or several together
     */
    public record Part(String name, Layer layer) {

        /** Returns the full name of something within a layer: {@code prefix.name}, or the one of both that is not empty. */
        public static String join(String prefix, String name) {
            return prefix.isEmpty() || name.isEmpty() ? prefix + name : prefix + "." + name;
        }
    }

    /** No layers: the output is the input. */
    public static final Sequential IDENTITY = new Sequential(List.of());

    public Sequential {
        parts = List.copyOf(parts);
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

    /**
     * Returns these layers and one more.
     *
     * @throws IllegalArgumentException if there is a layer of that name, unless it is empty
     */
    public Sequential then(String name, Layer layer) {
        if (!name.isEmpty() && parts.stream().map(Part::name).anyMatch(name::equals)) {
            throw new IllegalArgumentException("two layers have one name: '%s'".formatted(name));
        }
        List<Part> longer = new ArrayList<>(parts);
        longer.add(new Part(name, layer));
        return new Sequential(longer);
    }

    /** Returns these layers and a dropout; only these if nothing is dropped. */
    public Sequential thenDropout(String name, float probability) {
        return probability > 0 ? then(name, new Dropout(probability)) : this;
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

    /** Returns whether there is a layer of a kind, also within other layers. */
    public boolean has(Class<? extends Layer> kind) {
        return parts.stream().anyMatch(part -> has(part.layer(), kind));
    }

    private static boolean has(Layer layer, Class<? extends Layer> kind) {
        if (layer instanceof Residual residual) {
            return residual.body().has(kind) || has(residual.shortcut().layer(), kind);
        }
        return layer instanceof Sequential several ? several.has(kind) : kind.isInstance(layer);
    }

    /** Returns the tied layers, also those within other layers. */
    public List<TiedLinear> tied() {
        return parts.stream().flatMap(part -> tied(part.layer())).toList();
    }

    private static Stream<TiedLinear> tied(Layer layer) {
        if (layer instanceof TiedLinear tied) {
            return Stream.of(tied);
        }
        if (layer instanceof Residual residual) {
            return Stream.concat(
                    residual.body().tied().stream(), tied(residual.shortcut().layer()));
        }
        return layer instanceof Sequential several ? several.tied().stream() : Stream.empty();
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
