package org.fleetgrad.datasets.text;

import java.util.OptionalLong;

/** Turns text into tokens, numbered from 0, and back. Immutable and thread-safe. */
public sealed interface Tokenizer permits ContextFreeTokenizer, JsonTokenizer {

    /** Returns the number of tokens that there are. */
    int vocabulary();

    /**
     * Encodes a text.
     *
     * @throws IllegalArgumentException if it has a character that no token stands for; the message names it, and its place
     */
    int[] encode(String text);

    /**
     * Encodes a text that is a sample by itself: with the tokens that mark its begin and its end, if there are any.
     *
     * @throws IllegalArgumentException as {@link #encode}
     */
    default int[] encodeWhole(String text) {
        return encode(text);
    }

    /**
     * Decodes tokens; bytes that are not UTF-8 become U+FFFD.
     *
     * @throws IllegalArgumentException if there is no such token
     */
    String decode(int... tokens);

    /** Returns a decoder of the tokens that will follow others. */
    IncrementalDecoder decoder(int... before);

    /**
     * Counts the characters (Unicode code points) that tokens stand for; empty if it is not complete.
     *
     * @throws IllegalArgumentException if there is no such token
     */
    OptionalLong characters(Tokens tokens);

    /** Returns whether a token says that a text ends. */
    default boolean isEnd(int token) {
        return false;
    }

    /** Returns whether it can encode and decode: one that is a file is known by its digest where the file is not. */
    default boolean isComplete() {
        return true;
    }

    /** Returns this tokenizer as a text, from which {@link #parse} makes it again. */
    String text();

    /**
     * Reads the text of a tokenizer: {@code bytes}, {@code gpt2}, {@code characters:} and the alphabet, or {@code
     * tokenizer.json:}, the vocabulary and the file's digest.
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
        if (text.startsWith(JsonTokenizer.PREFIX)) {
            return JsonTokenizer.named(text);
        }
        throw new IllegalArgumentException("a tokenizer is %s, %s, %s and an alphabet, or %s and a digest; it is '%s'"
                .formatted(
                        ByteTokenizer.NAME,
                        Gpt2Tokenizer.NAME,
                        CharacterTokenizer.PREFIX,
                        JsonTokenizer.PREFIX,
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
