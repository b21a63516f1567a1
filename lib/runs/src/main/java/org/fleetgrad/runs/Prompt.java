package org.fleetgrad.runs;

import java.util.Optional;
import org.fleetgrad.datasets.TextSamples;
import org.fleetgrad.datasets.text.Tokenizer;
import org.fleetgrad.datasets.text.Tokens;
import org.fleetgrad.runs.output.RunFailedException;

/** The beginning of a text that a language model continues. */
record Prompt(String text) {

    /** Tokens of the held-out text that its beginning has at most. */
    private static final int MOST_TOKENS = 24;

    /**
     * Takes the user's prompt, or else the first words of the held-out text.
     *
     * @throws RunFailedException if the user's has a character that the model does not know, or none at all
     */
    static Prompt of(Optional<String> wanted, TextSamples heldOut, Tokenizer tokenizer) throws RunFailedException {
        if (wanted.isEmpty()) {
            return new Prompt(beginning(heldOut, tokenizer));
        }
        try {
            if (tokenizer.encode(wanted.get()).length > 0) {
                return new Prompt(wanted.get());
            }
        } catch (IllegalArgumentException unknown) {
            throw RunFailedException.input("--prompt: " + unknown.getMessage());
        }
        throw RunFailedException.input("--prompt must have a character");
    }

    private static String beginning(TextSamples heldOut, Tokenizer tokenizer) {
        Tokens tokens = heldOut.tokens();
        int[] first = new int[Math.min(MOST_TOKENS, tokens.count())];
        for (int i = 0; i < first.length; i++) {
            first[i] = tokens.get(i);
        }
        // The text may begin in the middle of a character's bytes.
        String text = tokenizer.decode(first).replaceFirst("^\uFFFD+", "");
        if (text.isEmpty()) {
            return "\n";
        }
        // Whole words, and no character that the last token cut.
        int end = text.lastIndexOf(' ');
        return text.substring(0, end > 0 ? end + 1 : text.offsetByCodePoints(0, 1));
    }
}
