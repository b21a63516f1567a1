package org.fleetgrad.datasets.text;

import java.util.Arrays;

/**
 * Decodes tokens whose text depends on those before them: the words of WordPiece are separated by blanks, the first of a text
 * is not. A few earlier tokens are decoded with the new ones, and what is longer is new. As long as it ends in U+FFFD, a
 * character may be cut, and it waits. Not thread-safe.
 */
final class DecodedDifference implements IncrementalDecoder {

    /** Tokens before a text that may change how its first one is written. */
    private static final int TOKENS_BEFORE = 5;

    /** A character has up to 4 bytes, and a token has one or more: after as many, its bytes are not UTF-8. */
    private static final int MOST_WAITING = 4;

    private static final char CUT = '\uFFFD';

    private final Tokenizer tokenizer;
    private int[] tokens;

    /** How many of them were decoded before. */
    private int known;

    DecodedDifference(Tokenizer tokenizer, int[] before) {
        this.tokenizer = tokenizer;
        this.tokens = Arrays.copyOfRange(before, Math.max(0, before.length - TOKENS_BEFORE), before.length);
        this.known = tokens.length;
    }

    @Override
    public String append(int token) {
        tokens = Arrays.copyOf(tokens, tokens.length + 1);
        tokens[tokens.length - 1] = token;
        String before = tokenizer.decode(Arrays.copyOf(tokens, known));
        String after = tokenizer.decode(tokens);
        boolean isCut = !after.isEmpty() && after.charAt(after.length() - 1) == CUT;
        if ((isCut && tokens.length - known < MOST_WAITING) || after.length() <= before.length()) {
            return "";
        }
        tokens = Arrays.copyOfRange(tokens, known, tokens.length);
        known = tokens.length;
        return after.substring(before.length());
    }
}
