package org.fleetgrad.libtorch;

import org.fleetgrad.networks.NetworkDefinition;

/**
 * The memory of the keys and values that a {@link TextDecoder} caches. The network's tensors are not included, nor the
 * arrays of one computation, for which {@link ForwardMemory} has a bound.
 */
public final class CacheMemory {

    private static final int KEY_AND_VALUE = 2;

    private CacheMemory() {}

    /**
     * Returns the bytes for one token: a key and a value of the width of each attention layer, in float32.
     *
     * @throws IllegalArgumentException if it is no network of GPT-2's layers; the message has the other one
     */
    public static long bytesOfToken(NetworkDefinition definition) {
        DecoderLayers layers = DecoderLayers.of(definition);
        return (long) layers.attentions() * KEY_AND_VALUE * layers.width() * Float.BYTES;
    }

    /**
     * Returns the bytes that a decoder for {@code mostTokens} allocates.
     *
     * @throws IllegalArgumentException if it is no network of GPT-2's layers, or if there are no tokens
     */
    public static long bytes(NetworkDefinition definition, int mostTokens) {
        return Math.multiplyExact(bytesOfToken(definition), (long) tokens(definition, mostTokens));
    }

    /** Returns the tokens whose keys and values are cached at a time: all, but no more than the network's context. */
    static int tokens(NetworkDefinition definition, int mostTokens) {
        if (mostTokens < 1) {
            throw new IllegalArgumentException("a text has 1 token or more; asked for were " + mostTokens);
        }
        return Math.min(mostTokens, definition.spec().inputSize());
    }
}
