package org.fleetgrad.networks.layer;

import java.util.List;

/**
 * Scaled dot-product attention of several heads over queries, keys and values that lie side by side (A. Vaswani et al. 2017):
 *
 * <pre>softmax(q k^T / sqrt(width / heads)) v</pre>
 *
 * <p>It has no tensors: the linear layers before and after it do. A sample is [tokens, 3 width], with the heads of each third one
 * after the other; the output is [tokens, width].
 *
 * @param width    features of a token
 * @param heads    divides the width
 * @param isCausal whether a token attends only to itself and to those before it
 * @param dropout  probability of dropping a weight of the softmax in training, from 0 to below 1
 */
public record SelfAttention(int width, int heads, boolean isCausal, float dropout) implements Layer {

    public SelfAttention {
        require(width, heads, dropout);
    }

    static void require(int width, int heads, float dropout) {
        Shapes.requireProbability(dropout);
        Shapes.requirePositive("a self-attention", width);
        if (heads < 1 || width % heads != 0) {
            throw new WrongArgumentException(
                    "the heads must divide the width; there are %d heads and a width of %d".formatted(heads, width));
        }
    }

    @Override
    public List<Integer> output(List<Integer> input) {
        Shapes.requireTokens("a self-attention", 3 * width, input);
        return List.of(input.get(0), width);
    }
}
