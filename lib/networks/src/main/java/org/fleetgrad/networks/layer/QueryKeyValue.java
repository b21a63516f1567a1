package org.fleetgrad.networks.layer;

import java.util.ArrayList;
import java.util.List;

/**
 * Three linear layers of one input whose outputs lie side by side: queries, keys and values of an attention, with BERT's tensors {@code
 * query.weight} [width, width], {@code query.bias}, and likewise {@code key} and {@code value}.
 *
 * @param width features of a token
 */
public record QueryKeyValue(int width) implements Layer {

    /** Names of the three layers, in the order of their outputs. */
    public static final List<String> PARTS = List.of("query", "key", "value");

    public QueryKeyValue {
        Shapes.requirePositive("an attention", width);
    }

    @Override
    public List<LayerTensor> tensors() {
        List<LayerTensor> tensors = new ArrayList<>();
        for (String part : PARTS) {
            tensors.add(LayerTensor.trainable(part + ".weight", InitialValues.TRANSFORMER, width, width));
            tensors.add(LayerTensor.trainable(part + ".bias", InitialValues.ZEROS, width));
        }
        return tensors;
    }

    @Override
    public List<Integer> output(List<Integer> input) {
        Shapes.requireTokens("queries, keys and values", width, input);
        return List.of(input.get(0), 3 * width);
    }
}
