package org.fleetgrad.datasets.text;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Turns text into tokens, numbered from 0, and back. Immutable and thread-safe. */
public sealed interface Tokenizer permits ByteTokenizer, CharacterTokenizer, Gpt2Tokenizer {

    /** Returns the number of tokens that there are. */
    int vocabulary();

    /**
     * Encodes a text.
     *
     * @throws IllegalArgumentException if it has a character that no token stands for; the message names it, and its place
     */
    int[] encode(String text);

    /**
     * Returns the UTF-8 bytes that a token stands for. A character may be cut between two tokens.
     *
     * @throws IllegalArgumentException if there is no such token
     */
    byte[] bytesOf(int token);

    /** Returns this tokenizer as a text, from which {@link #parse} makes it again. */
    String text();

    /** Decodes tokens; bytes that are not UTF-8 become U+FFFD. */
    default String decode(int... tokens) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int token : tokens) {
            bytes.writeBytes(bytesOf(token));
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /**
     * Counts the characters (Unicode code points) that tokens stand for; one that is cut between two tokens counts with the first.
     *
     * @throws IllegalArgumentException if there is no such token
     */
    default long characters(Tokens tokens) {
        int[] known = new int[vocabulary()];
        Arrays.fill(known, -1);
        long count = 0;
        for (int i = 0; i < tokens.count(); i++) {
            int token = tokens.get(i);
            require(token, known.length);
            if (known[token] < 0) {
                known[token] = beginningsIn(bytesOf(token));
            }
            count += known[token];
        }
        return count;
    }

    /** Counts the bytes of UTF-8 that begin a character: all but 10xxxxxx. */
    private static int beginningsIn(byte[] utf8) {
        int count = 0;
        for (byte one : utf8) {
            count += (one & 0xC0) == 0x80 ? 0 : 1;
        }
        return count;
    }

    /**
     * Reads the text of a tokenizer: {@code bytes}, {@code gpt2}, or {@code characters:} and the alphabet.
     *
     * @throws IllegalArgumentException if it is none of these, or the alphabet is not valid
     */
    static Tokenizer parse(String text) {
        if (text.equals(ByteTokenizer.NAME)) {
            return new ByteTokenizer();
        }
        if (text.equals(Gpt2Tokenizer.NAME)) {
            return new Gpt2Tokenizer();
        }
        if (text.startsWith(CharacterTokenizer.PREFIX)) {
            return CharacterTokenizer.of(text.substring(CharacterTokenizer.PREFIX.length()));
        }
        throw new IllegalArgumentException("a tokenizer is %s, %s, or %s and an alphabet; it is '%s'"
                .formatted(
                        ByteTokenizer.NAME,
                        Gpt2Tokenizer.NAME,
                        CharacterTokenizer.PREFIX,
                        text.substring(0, Math.min(text.length(), 40))));
    }

    /** Checks that a token is in the vocabulary. */
    static void require(int token, int vocabulary) {
        if (token < 0 || token >= vocabulary) {
            throw new IllegalArgumentException(
                    "there is no token %d; the vocabulary has the tokens 0 to %d".formatted(token, vocabulary - 1));
        }
    }
}
