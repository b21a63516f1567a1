package org.fleetgrad.networks.layer;

import java.util.List;

/**
 * Puts a learned token before all others: tensor {@code class_token} [1, 1, width], initially 0 (A. Dosovitskiy et al. 2021).
 *
 * @param width features of a token
 */
public record ClassToken(int width) implements Layer {

    public ClassToken {
        Shapes.requirePositive("a class token", width);
    }

    @Override
    public List<LayerTensor> tensors() {
        return List.of(LayerTensor.trainable("class_token", InitialValues.ZEROS, 1, 1, width));
    }

    @Override
    public List<Integer> output(List<Integer> input) {
        Shapes.requireTokens("a class token", width, input);
        return List.of(input.get(0) + 1, width);
    }
}
