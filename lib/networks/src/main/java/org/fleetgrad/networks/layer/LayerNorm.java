package org.fleetgrad.networks.layer;

import java.util.List;

/**
 * Layer normalization over the features of each token (J. L. Ba et al. 2016): tensors {@code weight} and {@code bias} [width].
 *
 * @param width   features of a token
 * @param epsilon added to the variance
 */
public record LayerNorm(int width, double epsilon) implements Layer {

    public LayerNorm {
        Shapes.requirePositive("a layer normalization", width);
        if (!(epsilon > 0)) {
            throw new IllegalArgumentException("the epsilon of a layer normalization is positive; it is " + epsilon);
        }
    }

    @Override
    public List<LayerTensor> tensors() {
        return List.of(
                LayerTensor.trainable("weight", InitialValues.ONES, width),
                LayerTensor.trainable("bias", InitialValues.ZEROS, width));
    }

    @Override
    public List<Integer> output(List<Integer> input) {
        if (input.isEmpty() || input.get(input.size() - 1) != width) {
            throw new IllegalArgumentException(
                    "a layer normalization takes [..., %d]; it gets %s".formatted(width, input));
        }
        return input;
    }
}
