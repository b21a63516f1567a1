package org.fleetgrad.datasets.text;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import com.knuddels.jtokkit.api.IntArrayList;

/**
 * GPT-2's byte pair encoding (A. Radford et al. 2019): 50,257 tokens, the last of which ends a document. Special tokens in a text
 * are encoded as the characters that they are written with.
 */
public record Gpt2Tokenizer() implements ContextFreeTokenizer {

    /** Its text. */
    public static final String NAME = "gpt2";

    /** The token that ends a document: {@code <|endoftext|>}. */
    public static final int END_OF_TEXT = 50_256;

    /** Number of its tokens. */
    public static final int VOCABULARY = END_OF_TEXT + 1;

    /** Loaded at first use: the table takes some megabytes. */
    private static final class Loaded {
        static final Encoding ENCODING = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.R50K_BASE);
    }

    @Override
    public int vocabulary() {
        return VOCABULARY;
    }

    @Override
    public int[] encode(String text) {
        return Loaded.ENCODING.encodeOrdinary(text).toArray();
    }

    @Override
    public byte[] bytesOf(int token) {
        Tokenizer.require(token, VOCABULARY);
        if (token == END_OF_TEXT) {
            return new byte[0];
        }
        IntArrayList one = new IntArrayList(1);
        one.add(token);
        return Loaded.ENCODING.decodeBytes(one);
    }

    @Override
    public boolean isEnd(int token) {
        return token == END_OF_TEXT;
    }

    @Override
    public String text() {
        return NAME;
    }

    @Override
    public String toString() {
        return NAME;
    }
}
