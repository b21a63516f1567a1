package org.fleetgrad.networks.layer;

import java.util.List;

/**
 * Attention as {@link SelfAttention} computes it, in which no token attends to padding: the scores of padding are minus infinity
 * before the softmax. So a sample that is filled up to the context has the values of the short one. What is padding is said by
 * the tokens that the network gets, whose first one is none.
 *
 * @param width   features of a token
 * @param heads   divides the width
 * @param padding number of the token that fills samples up
 * @param dropout probability of dropping a weight of the softmax in training, from 0 to below 1
 */
public record PaddedAttention(int width, int heads, int padding, float dropout) implements Layer {

    public PaddedAttention {
        SelfAttention.require(width, heads, dropout);
    }

    @Override
    public List<Integer> output(List<Integer> input) {
        Shapes.requireTokens("a self-attention", 3 * width, input);
        return List.of(input.get(0), width);
    }
}
