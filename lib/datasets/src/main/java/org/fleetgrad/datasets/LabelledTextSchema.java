package org.fleetgrad.datasets;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.datasets.text.SampleEncoding;
import org.fleetgrad.datasets.text.Tokenizer;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.Task.TextClassification;
import org.fleetgrad.protocol.MetadataKeys;
import tools.jackson.databind.json.JsonMapper;

/**
 * Texts in classes.
 *
 * @param encoding how a text becomes a sample
 * @param classes  name of each class, in the order of the labels
 */
public record LabelledTextSchema(SampleEncoding encoding, List<String> classes) implements Schema {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the classes break their rules, or the context or the padding is out of range
     */
    public LabelledTextSchema {
        classes = List.copyOf(classes);
        ClassNames.require(classes);
        TextSchema.requireContext(encoding.context());
        int vocabulary = encoding.tokenizer().vocabulary();
        if (encoding.padding() < 0 || encoding.padding() > vocabulary || encoding.padding() >= Task.MOST_TOKENS) {
            throw new IllegalArgumentException("the token that fills samples up is from 0 to %d; it is %d"
                    .formatted(Math.min(vocabulary, Task.MOST_TOKENS - 1), encoding.padding()));
        }
    }

    @Override
    public TextClassification task() {
        int vocabulary = Math.max(encoding.tokenizer().vocabulary(), encoding.padding() + 1);
        return new TextClassification(encoding.context(), vocabulary, classes.size(), encoding.padding());
    }

    @Override
    public Optional<Tokenizer> textTokenizer() {
        return Optional.of(encoding.tokenizer());
    }

    @Override
    public Map<String, String> metadata() {
        return Map.of(
                MetadataKeys.TOKENIZER,
                encoding.tokenizer().text(),
                MetadataKeys.CLASSES,
                JsonMapper.shared().writeValueAsString(classes));
    }
}
