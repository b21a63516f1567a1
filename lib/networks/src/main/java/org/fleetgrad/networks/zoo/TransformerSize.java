package org.fleetgrad.networks.zoo;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The size of a transformer, which its name states.
 *
 * @param layers how many it has
 * @param heads  of the attention of each
 * @param width  values of a token between the layers
 */
record TransformerSize(int layers, int heads, int width) {

    static final String LAYERS = "layers";
    static final String HEADS = "heads";
    static final String WIDTH = "width";
    static final String DROPOUT = "dropout";

    /** Returns the arguments that state it. */
    SortedMap<String, String> arguments() {
        return new TreeMap<>(Map.of(
                LAYERS, Integer.toString(layers), HEADS, Integer.toString(heads), WIDTH, Integer.toString(width)));
    }
}
