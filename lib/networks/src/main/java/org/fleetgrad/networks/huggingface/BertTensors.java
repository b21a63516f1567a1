package org.fleetgrad.networks.huggingface;

import java.util.Collections;
import java.util.SortedMap;
import java.util.regex.Pattern;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * Finds the tensors of a BERT in a file of Hugging Face's. A file of {@code BertModel} omits {@code bert.}; the published ones have the
 * heads of the pre-training, {@code cls.}, and call a normalization's tensors gamma and beta; older ones have the numbers of the
 * positions.
 */
final class BertTensors {

    private static final String PREFIX = "bert.";
    private static final Pattern WITHOUT_PREFIX = Pattern.compile("(?:embeddings|encoder|pooler)\\..+");
    private static final Pattern OF_NO_USE = Pattern.compile("cls\\..+|bert\\.embeddings\\.position_ids");

    private BertTensors() {}

    /**
     * Returns the file's name of each tensor, by Fleetgrad's name. Copies no values.
     *
     * @throws IllegalArgumentException if two tensors have one name
     */
    static SortedMap<String, String> names(TensorSet file) {
        return Collections.unmodifiableSortedMap(TensorNames.of(file, BertTensors::own, OF_NO_USE, "BERT"));
    }

    private static String own(String name) {
        String full = WITHOUT_PREFIX.matcher(name).matches() ? PREFIX + name : name;
        return full.replaceFirst("LayerNorm\\.gamma$", "LayerNorm.weight")
                .replaceFirst("LayerNorm\\.beta$", "LayerNorm.bias");
    }
}
