package org.fleetgrad.datasets.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.fleetgrad.files.text.Printable;

/** Each character (Unicode code point) of an alphabet is a token, numbered in the order of the code points. */
public final class CharacterTokenizer implements ContextFreeTokenizer {

    /** The most characters of an alphabet, which travels in the metadata of each parameter set. */
    public static final int MOST_CHARACTERS = 4096;

    /** Begins its text; the alphabet follows. */
    static final String PREFIX = "characters:";

    private final int[] alphabet;

    private CharacterTokenizer(int[] alphabet) {
        this.alphabet = alphabet;
    }

    /**
     * Makes the tokenizer of an alphabet.
     *
     * @param alphabet its characters, each once, in the order of their code points
     * @throws IllegalArgumentException if they are in another order, none, too many, or half of a surrogate pair
     */
    public static CharacterTokenizer of(String alphabet) {
        int[] points = alphabet.codePoints().toArray();
        if (points.length < 1 || points.length > MOST_CHARACTERS) {
            throw new IllegalArgumentException(
                    "an alphabet has 1 to %d characters; it has %d".formatted(MOST_CHARACTERS, points.length));
        }
        for (int i = 0; i < points.length; i++) {
            if (points[i] >= Character.MIN_SURROGATE && points[i] <= Character.MAX_SURROGATE) {
                throw new IllegalArgumentException(
                        "character %d of an alphabet, U+%04X, is half of a surrogate pair".formatted(i, points[i]));
            }
            if (i > 0 && points[i] <= points[i - 1]) {
                throw new IllegalArgumentException(
                        "an alphabet has each character once, sorted by code point; U+%04X follows U+%04X"
                                .formatted(points[i], points[i - 1]));
            }
        }
        return new CharacterTokenizer(points);
    }

    /**
     * Makes the tokenizer of the characters that a text has.
     *
     * @throws IllegalArgumentException if there are none, or too many
     */
    public static CharacterTokenizer ofCharactersIn(String text) {
        int[] points = text.codePoints().distinct().sorted().toArray();
        return of(new String(points, 0, points.length));
    }

    @Override
    public int vocabulary() {
        return alphabet.length;
    }

    @Override
    public int[] encode(String text) {
        int[] points = text.codePoints().toArray();
        for (int i = 0; i < points.length; i++) {
            int token = Arrays.binarySearch(alphabet, points[i]);
            if (token < 0) {
                throw new IllegalArgumentException("character %d, '%s' (U+%04X), is not one of the alphabet's %d"
                        .formatted(i, Printable.text(Character.toString(points[i])), points[i], alphabet.length));
            }
            points[i] = token;
        }
        return points;
    }

    @Override
    public byte[] bytesOf(int token) {
        Tokenizer.require(token, alphabet.length);
        return Character.toString(alphabet[token]).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String text() {
        return PREFIX + new String(alphabet, 0, alphabet.length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CharacterTokenizer that && Arrays.equals(alphabet, that.alphabet);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(alphabet);
    }

    @Override
    public String toString() {
        return "%d characters".formatted(alphabet.length);
    }
}
