package org.fleetgrad.libtorch;

import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.networks.layer.Embedding;
import org.fleetgrad.networks.layer.Layer;
import org.fleetgrad.networks.layer.Layer.Dropout;
import org.fleetgrad.networks.layer.Layer.Gelu;
import org.fleetgrad.networks.layer.Layer.ReLU;
import org.fleetgrad.networks.layer.LayerNorm;
import org.fleetgrad.networks.layer.Linear;
import org.fleetgrad.networks.layer.PositionEmbedding;
import org.fleetgrad.networks.layer.Residual;
import org.fleetgrad.networks.layer.SelfAttention;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.networks.layer.TiedLinear;

/**
 * The memory of the keys and values that a {@link TextDecoder} caches. The network's tensors are not included, nor the arrays of
 * one computation, for which {@link ForwardMemory} has a bound.
 */
public final class CacheMemory {

    private static final int KEY_AND_VALUE = 2;

    private CacheMemory() {}

    /**
     * Returns the bytes for one token: a key and a value of the width of each attention layer, in float32.
     *
     * @throws IllegalArgumentException if the network continues no texts; the message has the layer
     */
    public static long bytesOfToken(NetworkDefinition definition) {
        if (!(definition.spec().task() instanceof LanguageModel)) {
            throw new IllegalArgumentException("the network '%s' continues no texts: it takes %s"
                    .formatted(definition.spec().name(), definition.spec().task()));
        }
        try {
            requireHead(definition.layers());
            return Math.multiplyExact((long) KEY_AND_VALUE * Float.BYTES, width(definition.layers()));
        } catch (IllegalArgumentException unfit) {
            throw new IllegalArgumentException("the network '%s' continues no texts: %s"
                    .formatted(definition.spec().name(), unfit.getMessage()));
        }
    }

    /**
     * Returns the bytes that a decoder for {@code mostTokens} allocates.
     *
     * @throws IllegalArgumentException if the network continues no texts, or if there are no tokens
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

    /** The logits are computed for the last token alone, so nothing in the last layer may look at another one. */
    private static void requireHead(Sequential layers) {
        int last = layers.parts().size() - 1;
        if (last < 1 || !isLinear(layers.parts().get(last).layer())) {
            throw new IllegalArgumentException("its last layer is not linear");
        }
    }

    private static boolean isLinear(Layer layer) {
        return layer instanceof Linear || layer instanceof TiedLinear;
    }

    /** Returns the sum of the widths of the attention layers. */
    private static long width(Layer layer) {
        if (layer instanceof Sequential sequential) {
            return sequential.parts().stream()
                    .mapToLong(part -> width(part.layer()))
                    .sum();
        } else if (layer instanceof Residual residual) {
            return width(residual.body()) + width(residual.shortcut().layer());
        } else if (layer instanceof SelfAttention attention && attention.isCausal()) {
            return attention.width();
        } else if (isLinear(layer)
                || layer instanceof Embedding
                || layer instanceof PositionEmbedding
                || layer instanceof LayerNorm
                || layer instanceof Gelu
                || layer instanceof ReLU
                || layer instanceof Dropout) {
            return 0;
        }
        throw new IllegalArgumentException(
                "a token's output would depend on later tokens, or on their number, by the layer " + layer);
    }
}
