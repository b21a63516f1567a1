package org.fleetgrad.datasets.text;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalLong;

/** A tokenizer whose tokens stand for the same bytes whatever is around them. */
public sealed interface ContextFreeTokenizer extends Tokenizer
        permits ByteTokenizer, CharacterTokenizer, Gpt2Tokenizer {

    /**
     * Returns the UTF-8 bytes that a token stands for. A character may be cut between two tokens.
     *
     * @throws IllegalArgumentException if there is no such token
     */
    byte[] bytesOf(int token);

    @Override
    default String decode(int... tokens) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int token : tokens) {
            bytes.writeBytes(bytesOf(token));
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Override
    default IncrementalDecoder decoder(int... before) {
        WholeCharacters characters = new WholeCharacters();
        return token -> characters.append(bytesOf(token));
    }

    /** {@inheritDoc} A character that is cut between two tokens counts with the first. */
    @Override
    default OptionalLong characters(Tokens tokens) {
        int[] known = new int[vocabulary()];
        Arrays.fill(known, -1);
        long count = 0;
        for (int i = 0; i < tokens.count(); i++) {
            int token = tokens.get(i);
            Tokenizer.require(token, known.length);
            if (known[token] < 0) {
                known[token] = beginningsIn(bytesOf(token));
            }
            count += known[token];
        }
        return OptionalLong.of(count);
    }

    /** Counts the bytes of UTF-8 that begin a character: all but 10xxxxxx. */
    private static int beginningsIn(byte[] utf8) {
        int count = 0;
        for (byte one : utf8) {
            count += (one & 0xC0) == 0x80 ? 0 : 1;
        }
        return count;
    }
}
