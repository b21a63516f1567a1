package org.fleetgrad.libtorch;

import java.util.Arrays;
import java.util.Random;
import org.fleetgrad.libtorch.Network.NetworkReader;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorSet;

/** Small language models whose logits are far apart, and what they say without a cache. */
final class TextModels {

    static final int CONTEXT = 12;
    static final int VOCABULARY = 17;

    /** Larger than the initial values, so that attention is far from uniform. */
    private static final float SCALE = 8;

    private TextModels() {}

    /** Dropout must not matter. */
    static NetworkDefinition definition(boolean isTied) {
        return Networks.named("gpt2?context=12&dropout=0.3&heads=4&layers=2&tied=%s&vocabulary=17&width=24"
                .formatted(isTied ? "yes" : "no"));
    }

    static TensorSet parameters(NetworkDefinition definition, long seed) {
        float[] values = definition.initialParameters(seed);
        for (int i = 0; i < values.length; i++) {
            values[i] *= SCALE;
        }
        return TensorSet.ofFloats(
                definition.spec().layout(), values, definition.spec().metadata());
    }

    static Network open(boolean isTied, long seed) {
        NetworkDefinition definition = definition(isTied);
        Network network = Libtorch.open(definition, Device.CPU);
        network.load(parameters(definition, seed));
        return network;
    }

    static int[] tokens(int count, long seed) {
        return new Random(seed).ints(count, 0, VOCABULARY).toArray();
    }

    /** The logits after the tokens, by a pass over a whole sample: what follows them does not matter. */
    static float[] uncached(NetworkReader reader, int[] tokens, int from) {
        float[] sample = new float[CONTEXT];
        for (int i = from; i < tokens.length; i++) {
            sample[i - from] = tokens[i];
        }
        float[] logits = reader.logits(sample, 1);
        int end = (tokens.length - from) * VOCABULARY;
        return Arrays.copyOfRange(logits, end - VOCABULARY, end);
    }

    static int[] first(int[] tokens, int count) {
        return Arrays.copyOf(tokens, count);
    }
}
