package org.fleetgrad.tokenizers;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a long text into pieces that are encoded one after the other, because the library needs some hundred bytes for each token. A
 * piece ends with a line that is followed by a character: there the rules of GPT-2 and BERT cut words, too, so the tokens are those
 * of the whole text.
 */
final class TextPieces {

    /** Length of the longest piece, in chars. */
    static final int LONGEST = 1 << 22;

    private TextPieces() {}

    /** Cuts a text; the pieces joined are the text. */
    static List<String> of(String text) {
        return of(text, LONGEST);
    }

    static List<String> of(String text, int longest) {
        List<String> pieces = new ArrayList<>();
        int from = 0;
        while (text.length() - from > longest) {
            int to = end(text, from, from + longest);
            pieces.add(text.substring(from, to));
            from = to;
        }
        pieces.add(text.substring(from));
        return pieces;
    }

    /** A text of one endless line is cut in its middle, but not within a character. */
    private static int end(String text, int from, int most) {
        for (int to = most; to > from + 1; to--) {
            if (text.charAt(to - 1) == '\n' && !Character.isWhitespace(text.charAt(to))) {
                return to;
            }
        }
        return Character.isLowSurrogate(text.charAt(most)) ? most - 1 : most;
    }
}
