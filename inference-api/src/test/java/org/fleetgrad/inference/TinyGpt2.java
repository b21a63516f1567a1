package org.fleetgrad.inference;

import java.util.Map;
import org.fleetgrad.datasets.text.Tokenizer;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.libtorch.Network.NetworkReader;
import org.fleetgrad.libtorch.TextDecoder;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.sampling.Sampling;
import org.fleetgrad.networks.sampling.TokenSampler;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;

/** A small GPT-2 for tests: parameters by version, and its own continuations of texts. */
final class TinyGpt2 {

    static final String ALPHABET = "characters:\n !:ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzßé€😀";

    private static final int VOCABULARY = Tokenizer.parse(ALPHABET).vocabulary();
    private static final NetworkDefinition DEFINITION = Networks.usual(
            "gpt2?context=16&dropout=0&heads=2&layers=1&tied=yes&vocabulary=%d&width=16".formatted(VOCABULARY));

    private TinyGpt2() {}

    /** Returns the parameter set of a version; each version has other values. */
    static TensorSet set(ParameterVersion version) {
        return set(version, Map.of(MetadataKeys.NETWORK, DEFINITION.spec().name(), MetadataKeys.TOKENIZER, ALPHABET));
    }

    private static TensorSet set(ParameterVersion version, Map<String, String> metadata) {
        float[] values = DEFINITION.initialParameters(
                version.version() + version.generation().hashCode());
        for (int i = 0; i < values.length; i++) {
            // The initial values give nearly equal logits.
            values[i] *= 10;
        }
        return TensorSet.ofFloats(DEFINITION.spec().layout(), values, metadata);
    }

    /** Continues a text by hand, with a decoder of its own. */
    static String continued(ParameterVersion version, String prompt, int tokens, Sampling sampling, long seed) {
        Tokenizer tokenizer = Tokenizer.parse(ALPHABET);
        TokenSampler sampler = new TokenSampler(sampling, seed);
        try (Network network = Libtorch.open(DEFINITION, Device.CPU)) {
            network.load(set(version, Map.of()));
            try (NetworkReader reader = network.live();
                    TextDecoder decoder = reader.decoder(1000)) {
                float[] logits = decoder.append(tokenizer.encode(prompt));
                int[] chosen = new int[tokens];
                for (int i = 0; i < tokens; i++) {
                    chosen[i] = sampler.next(logits);
                    logits = decoder.append(chosen[i]);
                }
                return tokenizer.decode(chosen);
            }
        }
    }
}
