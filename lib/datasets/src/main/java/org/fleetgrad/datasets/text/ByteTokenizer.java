package org.fleetgrad.datasets.text;

import java.nio.charset.StandardCharsets;

/** Each byte of the UTF-8 form is a token: 256 tokens, for any text. */
public record ByteTokenizer() implements ContextFreeTokenizer {

    /** Its text. */
    public static final String NAME = "bytes";

    private static final int BYTES = 256;

    @Override
    public int vocabulary() {
        return BYTES;
    }

    @Override
    public int[] encode(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int[] tokens = new int[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            tokens[i] = Byte.toUnsignedInt(bytes[i]);
        }
        return tokens;
    }

    @Override
    public byte[] bytesOf(int token) {
        Tokenizer.require(token, BYTES);
        return new byte[] {(byte) token};
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
