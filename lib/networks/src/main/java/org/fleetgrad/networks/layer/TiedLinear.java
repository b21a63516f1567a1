package org.fleetgrad.networks.layer;

import java.util.List;

/**
 * A linear layer without bias whose weight is another layer's tensor, such as the logits of a language model by its embedding
 * (O. Press, L. Wolf 2017). The layout has the tensor once; its gradient is the sum of both uses.
 *
 * @param tensor full name of the weight [out, in]
 * @param in     features in
 * @param out    features out
 */
public record TiedLinear(String tensor, int in, int out) implements Layer {

    public TiedLinear {
        Shapes.requirePositive("a tied linear layer", in, out);
    }

    @Override
    public List<Integer> output(List<Integer> input) {
        return Shapes.features("a tied linear layer", in, out, input);
    }
}
