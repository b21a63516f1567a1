package org.fleetgrad.networks.layer;

import java.util.List;

/**
 * Adds a learned row to each token by the part of the text that it is in (J. Devlin et al. 2019): tensor {@code weight} [parts,
 * width], initially normal with a standard deviation of 0.02. A text is in one part here, the first, so the other rows have no
 * gradient; they are there because BERT has them.
 *
 * @param parts number of rows
 * @param width features of a token
 */
public record TokenTypeEmbedding(int parts, int width) implements Layer {

    public TokenTypeEmbedding {
        Shapes.requirePositive("an embedding of parts", parts, width);
    }

    @Override
    public List<LayerTensor> tensors() {
        return List.of(LayerTensor.trainable("weight", InitialValues.TRANSFORMER, parts, width));
    }

    @Override
    public List<Integer> output(List<Integer> input) {
        Shapes.requireTokens("an embedding of parts", width, input);
        return input;
    }
}
