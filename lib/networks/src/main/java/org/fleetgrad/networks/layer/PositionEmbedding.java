package org.fleetgrad.networks.layer;

import java.util.List;

/**
 * Adds a learned row to each token by its position, initially normal with a standard deviation of 0.02. A sample may have fewer
 * tokens than there are rows.
 *
 * @param tensor name of the rows: GPT-2's {@code weight}, torchvision's {@code pos_embedding}
 * @param shape  of the rows: [positions, width], or torchvision's [1, positions, width]
 */
public record PositionEmbedding(String tensor, List<Long> shape) implements Layer {

    public PositionEmbedding {
        shape = List.copyOf(shape);
        if (shape.size() < 2 || shape.stream().anyMatch(side -> side < 1 || side > Embedding.MOST_ROWS)) {
            throw new IllegalArgumentException("an embedding of positions is [..., positions, width]; it is " + shape);
        }
    }

    /** Returns the most tokens that a sample may have. */
    public int positions() {
        return Math.toIntExact(shape.get(shape.size() - 2));
    }

    @Override
    public List<LayerTensor> tensors() {
        return List.of(LayerTensor.trainable(
                tensor,
                InitialValues.TRANSFORMER,
                shape.stream().mapToLong(Long::longValue).toArray()));
    }

    @Override
    public List<Integer> output(List<Integer> input) {
        int width = Math.toIntExact(shape.get(shape.size() - 1));
        Shapes.requireTokens("a position embedding", width, input);
        if (input.get(0) > positions()) {
            throw new IllegalArgumentException(
                    "a position embedding has %d positions; it gets %d tokens".formatted(positions(), input.get(0)));
        }
        return input;
    }
}
