package org.fleetgrad.networks.huggingface;

import java.util.Collections;
import java.util.SortedMap;
import java.util.regex.Pattern;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * Finds the tensors of a GPT-2 in a file of Hugging Face's. The published files omit {@code transformer.}, older ones have the
 * buffers of the causal mask, {@code attn.bias} and {@code attn.masked_bias}, and some have the weight of tied logits twice.
 */
public final class Gpt2Tensors {

    private static final String PREFIX = "transformer.";
    private static final String EMBEDDING = PREFIX + "wte.weight";
    private static final String HEAD = "lm_head.weight";
    private static final Pattern WITHOUT_PREFIX = Pattern.compile("(?:wte|wpe|ln_f|h\\.\\d+)\\..+");
    private static final Pattern MASK = Pattern.compile("transformer\\.h\\.\\d+\\.attn\\.(?:masked_)?bias");

    private Gpt2Tensors() {}

    /**
     * Returns the file's name of each tensor, by Fleetgrad's name. Copies no values. Tensors that are not of a GPT-2 keep their
     * names, so that whoever compares the layouts refuses them.
     *
     * @param isTied whether the logits are computed by the token embedding
     * @throws IllegalArgumentException if two tensors have one name, or if the logits of a tied network have a weight of their
     *     own
     */
    public static SortedMap<String, String> names(TensorSet file, boolean isTied) {
        SortedMap<String, String> names = TensorNames.of(file, Gpt2Tensors::own, MASK, "GPT-2");
        if (isTied && names.containsKey(HEAD)) {
            requireSame(file, names.getOrDefault(EMBEDDING, ""));
            names.remove(HEAD);
        }
        return Collections.unmodifiableSortedMap(names);
    }

    private static String own(String name) {
        return WITHOUT_PREFIX.matcher(name).matches() ? PREFIX + name : name;
    }

    private static void requireSame(TensorSet file, String embedding) {
        if (!file.bytes(HEAD).equals(file.bytes(embedding))) {
            throw new IllegalArgumentException(
                    "its '%s' is not its '%s', though tie_word_embeddings is true in %s: set it to false there"
                            .formatted(HEAD, EMBEDDING, Gpt2Config.FILE));
        }
    }
}
