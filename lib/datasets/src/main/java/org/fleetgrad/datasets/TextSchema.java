package org.fleetgrad.datasets;

import java.util.Map;
import java.util.Optional;
import org.fleetgrad.datasets.text.Tokenizer;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.protocol.MetadataKeys;

/**
 * A text whose next token is predicted after each token.
 *
 * @param tokenizer between text and tokens
 * @param context   tokens of a sample
 */
public record TextSchema(Tokenizer tokenizer, int context) implements Schema {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the context is out of range
     */
    public TextSchema {
        requireContext(context);
    }

    static void requireContext(int context) {
        if (context < 1 || context > Task.MOST_TOKENS) {
            throw new IllegalArgumentException(
                    "a context has 1 to %d tokens; it is %d".formatted(Task.MOST_TOKENS, context));
        }
    }

    @Override
    public Task task() {
        return new LanguageModel(context, tokenizer.vocabulary());
    }

    @Override
    public Optional<Tokenizer> textTokenizer() {
        return Optional.of(tokenizer);
    }

    @Override
    public Map<String, String> metadata() {
        return Map.of(MetadataKeys.TOKENIZER, tokenizer.text());
    }
}
