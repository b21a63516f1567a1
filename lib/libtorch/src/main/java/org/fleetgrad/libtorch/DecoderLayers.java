package org.fleetgrad.libtorch;

import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.networks.layer.Embedding;
import org.fleetgrad.networks.layer.Layer;
import org.fleetgrad.networks.layer.Layer.Dropout;
import org.fleetgrad.networks.layer.Layer.Gelu;
import org.fleetgrad.networks.layer.LayerNorm;
import org.fleetgrad.networks.layer.Linear;
import org.fleetgrad.networks.layer.PositionEmbedding;
import org.fleetgrad.networks.layer.Residual;
import org.fleetgrad.networks.layer.SelfAttention;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.networks.layer.Sequential.Part;
import org.fleetgrad.networks.layer.TiedLinear;

/**
 * A network of GPT-2's layers, as {@link Operator#CONTINUE_TEXT} takes it: an embedding, positions, any number of
 * branches {@code x + W2 f(W1 norm(x))}, where f is causal attention or GELU, a norm, and the logits. Dropout is left
 * out, because nothing is dropped in evaluation.
 *
 * @param tensors  full names, in the order of computation
 * @param heads    of each branch's attention; 0 for a GELU
 * @param epsilons of the norms, in the order of computation
 * @param width    features of a token
 */
record DecoderLayers(List<String> tensors, List<Integer> heads, List<Double> epsilons, int width) {

    DecoderLayers {
        tensors = List.copyOf(tensors);
        heads = List.copyOf(heads);
        epsilons = List.copyOf(epsilons);
    }

    /**
     * Finds the layers of a network.
     *
     * @throws IllegalArgumentException if it has others; the message has the first one
     */
    static DecoderLayers of(NetworkDefinition definition) {
        String name = definition.spec().name();
        if (!(definition.spec().task() instanceof LanguageModel)) {
            throw new IllegalArgumentException("the network '%s' continues no texts: it takes %s"
                    .formatted(name, definition.spec().task()));
        }
        try {
            return new Reading().read(definition.layers());
        } catch (IllegalArgumentException other) {
            throw new IllegalArgumentException(
                    "the network '%s' continues no texts: %s".formatted(name, other.getMessage()));
        }
    }

    /** Returns the number of branches that have keys and values. */
    int attentions() {
        return (int) heads.stream().filter(count -> count > 0).count();
    }

    /** What was found so far. */
    private static final class Reading {

        private final List<String> tensors = new ArrayList<>();
        private final List<Integer> heads = new ArrayList<>();
        private final List<Double> epsilons = new ArrayList<>();
        private int width;

        DecoderLayers read(Sequential layers) {
            List<Part> parts = flat(layers, "");
            int end = parts.size();
            if (end < 4) {
                throw new IllegalArgumentException("GPT-2 has 4 layers or more; it has " + end);
            }
            embedding(parts.get(0));
            positions(parts.get(1));
            parts.subList(2, end - 2).forEach(this::branch);
            norm(parts.get(end - 2));
            head(parts.get(end - 1));
            return new DecoderLayers(tensors, heads, epsilons, width);
        }

        /** Returns the layers without dropout, with their full names. */
        private static List<Part> flat(Layer layer, String name) {
            List<Part> parts = new ArrayList<>();
            if (layer instanceof Sequential several) {
                several.parts().forEach(part -> parts.addAll(flat(part.layer(), Part.join(name, part.name()))));
            } else if (!(layer instanceof Dropout)) {
                parts.add(new Part(name, layer));
            }
            return parts;
        }

        private void embedding(Part part) {
            if (!(part.layer() instanceof Embedding embedding)) {
                throw other(part, "an embedding");
            }
            add(part, "weight");
            width = embedding.width();
        }

        private void positions(Part part) {
            if (!(part.layer() instanceof PositionEmbedding positions)
                    || positions.shape().size() != 2) {
                throw other(part, "positions");
            }
            add(part, positions.tensor());
        }

        private void branch(Part part) {
            if (!(part.layer() instanceof Residual residual)
                    || !residual.shortcut().equals(Residual.IDENTITY)) {
                throw other(part, "a residual");
            }
            List<Part> parts = flat(residual.body(), part.name());
            if (parts.size() != 4) {
                throw other(part, "a residual of 4 layers");
            }
            norm(parts.get(0));
            linear(parts.get(1));
            heads.add(heads(parts.get(2)));
            linear(parts.get(3));
        }

        private int heads(Part part) {
            if (part.layer() instanceof SelfAttention attention && attention.isCausal() && attention.width() == width) {
                return attention.heads();
            } else if (part.layer() instanceof Gelu gelu && gelu.isTanh()) {
                return 0;
            }
            throw other(part, "causal attention of width %d, or the tanh form of GELU".formatted(width));
        }

        private void norm(Part part) {
            if (!(part.layer() instanceof LayerNorm norm)) {
                throw other(part, "a layer norm");
            }
            add(part, "weight");
            add(part, "bias");
            epsilons.add(norm.epsilon());
        }

        private void linear(Part part) {
            if (!(part.layer() instanceof Linear linear)
                    || linear.form() != Linear.Form.CONV1D
                    || linear.bias().isEmpty()) {
                throw other(part, "a linear layer with weights [in, out] and a bias");
            }
            add(part, linear.form().weightName());
            add(part, linear.form().biasName());
        }

        private void head(Part part) {
            if (part.layer() instanceof TiedLinear tied) {
                tensors.add(tied.tensor());
            } else if (part.layer() instanceof Linear linear
                    && linear.form() == Linear.Form.LINEAR
                    && linear.bias().isEmpty()) {
                add(part, linear.form().weightName());
            } else {
                throw other(part, "a linear layer with weights [out, in] and no bias");
            }
        }

        private void add(Part part, String tensor) {
            tensors.add(Part.join(part.name(), tensor));
        }

        private static IllegalArgumentException other(Part part, String expected) {
            return new IllegalArgumentException(
                    "where GPT-2 has %s, its layer '%s' is %s".formatted(expected, part.name(), part.layer()));
        }
    }
}
