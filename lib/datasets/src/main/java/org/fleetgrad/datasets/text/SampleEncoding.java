package org.fleetgrad.datasets.text;

import java.util.Arrays;

/**
 * How a text becomes a sample of a fixed number of tokens: with the tokens that mark its begin and its end, cut if it is longer, filled
 * up if it is shorter. A text that is cut keeps these marks, as with {@code truncation=True} of Hugging Face's. Immutable and
 * thread-safe.
 *
 * @param tokenizer turns text into tokens
 * @param context   tokens of a sample
 * @param padding   the token that fills samples up
 */
public record SampleEncoding(Tokenizer tokenizer, int context, int padding) {

    /**
     * A text as tokens.
     *
     * @param tokens as many as a sample has
     * @param length number of tokens of the whole text: more than a sample has if the text was cut
     */
    public record Encoded(int[] tokens, int length) {}

    /** Returns the token that fills samples up: the tokenizer's own, or else one more than it has. */
    public static int paddingOf(Tokenizer tokenizer) {
        return tokenizer instanceof JsonTokenizer json
                ? json.padding().orElse(tokenizer.vocabulary())
                : tokenizer.vocabulary();
    }

    /**
     * Encodes a text.
     *
     * @throws IllegalArgumentException if it has no token, or begins with padding, or has a character that no token stands for
     */
    public Encoded encode(String text) {
        int[] whole = tokenizer.encodeWhole(text);
        if (whole.length == 0) {
            throw new IllegalArgumentException("a text has 1 or more tokens; it has none");
        }
        if (whole[0] == padding) {
            throw new IllegalArgumentException(
                    "a text begins with the token %d, which fills samples up".formatted(padding));
        }
        int[] cut = whole.length > context ? cut(whole, tokenizer.encode(text)) : whole;
        int[] sample = Arrays.copyOf(cut, context);
        Arrays.fill(sample, cut.length, context, padding);
        return new Encoded(sample, whole.length);
    }

    /** The marks are what the whole text has before and after its own tokens. */
    private int[] cut(int[] whole, int[] own) {
        int marks = whole.length - own.length;
        int before = 0;
        while (before < marks && !Arrays.equals(whole, before, before + own.length, own, 0, own.length)) {
            before++;
        }
        int after = marks - before;
        if (marks >= context) {
            return Arrays.copyOf(whole, context);
        }
        int[] cut = Arrays.copyOf(whole, context);
        System.arraycopy(whole, whole.length - after, cut, context - after, after);
        return cut;
    }
}
