package org.fleetgrad.networks.block;

import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.networks.layer.Conv1d;
import org.fleetgrad.networks.layer.Conv2d;
import org.fleetgrad.networks.layer.Embedding;
import org.fleetgrad.networks.layer.GraphLayer;
import org.fleetgrad.networks.layer.Layer;
import org.fleetgrad.networks.layer.LayerTensor;
import org.fleetgrad.networks.layer.Linear;
import org.fleetgrad.networks.layer.Lstm;
import org.fleetgrad.networks.layer.Residual;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.networks.layer.TiedLinear;

/**
 * Layers of a network that stay together when it is cut. A block begins with a convolution, an embedding, a linear layer, an LSTM or a
 * residual, and includes the layers after it: normalization, ReLU, pooling, dropout, flattening. Layers before the first such
 * layer belong to the first block. Immutable.
 *
 * <p>So each block has parameters or the use of others', and the activation between two blocks is small, because a pooling has
 * been applied. It is never overwritten: the only in-place operation is the addition within a residual, which is not cut.
 *
 * @param name   of its first layer with weights, such as {@code features.4}, {@code layer2.0} or {@code transformer.h.0.ln_2}
 * @param layers under their full names, so that their tensors have the same names as in the network
 * @param input  shape of a sample before the block, such as [channels, height, width]
 * @param output shape of a sample after the block
 */
public record Block(String name, Sequential layers, List<Integer> input, List<Integer> output) {

    public Block {
        input = List.copyOf(input);
        output = List.copyOf(output);
    }

    /**
     * Cuts layers into blocks, in the order of computation. Layers without weights are one block.
     *
     * @param input shape of a sample
     * @throws IllegalArgumentException if the layers cannot take such a sample
     */
    public static List<Block> of(Sequential layers, List<Integer> input) {
        List<Sequential.Part> flat = new ArrayList<>();
        flatten(layers, "", flat);
        List<Block> blocks = new ArrayList<>();
        List<Integer> shape = input;
        for (List<Sequential.Part> group : groups(flat)) {
            Sequential together = new Sequential(group);
            List<Integer> output = together.output(shape);
            String name = name(group, blocks);
            blocks.add(new Block(name, together, shape, output));
            shape = output;
        }
        return List.copyOf(blocks);
    }

    private static void flatten(Sequential layers, String prefix, List<Sequential.Part> flat) {
        for (Sequential.Part part : layers.parts()) {
            String name = Sequential.Part.join(prefix, part.name());
            if (part.layer() instanceof Sequential inner) {
                flatten(inner, name, flat);
            } else {
                flat.add(new Sequential.Part(name, part.layer()));
            }
        }
    }

    private static List<List<Sequential.Part>> groups(List<Sequential.Part> flat) {
        List<List<Sequential.Part>> groups = new ArrayList<>();
        boolean hasWeights = true;
        for (Sequential.Part part : flat) {
            if (groups.isEmpty() || (hasWeights && begins(part.layer()))) {
                groups.add(new ArrayList<>());
                hasWeights = false;
            }
            groups.get(groups.size() - 1).add(part);
            hasWeights |= begins(part.layer());
        }
        return groups;
    }

    private static boolean begins(Layer layer) {
        return layer instanceof Conv1d
                || layer instanceof Conv2d
                || layer instanceof Embedding
                || layer instanceof GraphLayer
                || layer instanceof Linear
                || layer instanceof Lstm
                || layer instanceof Residual
                || layer instanceof TiedLinear;
    }

    /** A second residual of a nameless pair, as in a transformer's layer, is called after its own first layer. */
    private static String name(List<Sequential.Part> group, List<Block> before) {
        Sequential.Part first =
                group.stream().filter(part -> begins(part.layer())).findFirst().orElse(group.get(0));
        if (first.layer() instanceof GraphLayer piece) {
            return piece.name();
        }
        boolean isTaken = before.stream().anyMatch(block -> block.name().equals(first.name()));
        return isTaken && first.layer() instanceof Residual residual
                ? Sequential.Part.join(
                        first.name(), residual.body().parts().get(0).name())
                : first.name();
    }

    /** Returns its parameters and its state, in the order of the layers. */
    public List<LayerTensor> tensors() {
        return layers.tensors();
    }
}
