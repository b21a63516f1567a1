package org.fleetgrad.tokenizers;

import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.Arrays;
import org.fleetgrad.datasets.text.TokenizerLibrary;
import org.fleetgrad.files.text.Printable;

/**
 * Hugging Face's library {@code tokenizers}, which is written in Rust. The first use loads it. Called below DJL's own class, which
 * copies the words and places of all tokens to Java: those of a long text take gigabytes.
 */
public final class RustTokenizers implements TokenizerLibrary {

    private static final Cleaner CLEANER = Cleaner.create();
    private static final int MOST_SHOWN = 200;

    @Override
    public TokenCodec open(String json) {
        NativeLibrary.load();
        try {
            long handle = TokenizersLibrary.LIB.createTokenizerFromString(json);
            // A sample's length is decided here, and not by what the file says of its first use.
            TokenizersLibrary.LIB.disablePadding(handle);
            TokenizersLibrary.LIB.disableTruncation(handle);
            return new RustCodec(handle);
        } catch (RuntimeException malformed) {
            String message = Printable.text(String.valueOf(malformed.getMessage()));
            throw new IllegalArgumentException(
                    "is not a tokenizer: " + message.substring(0, Math.min(message.length(), MOST_SHOWN)), malformed);
        }
    }

    /** A tokenizer in the memory of the library, which is freed with this object. */
    private static final class RustCodec implements TokenCodec {

        private final long handle;

        RustCodec(long handle) {
            this.handle = handle;
            CLEANER.register(this, () -> TokenizersLibrary.LIB.deleteTokenizer(handle));
        }

        @Override
        public int[] encode(String text, boolean isWhole) {
            if (isWhole) {
                if (text.length() > TextPieces.LONGEST) {
                    throw new IllegalArgumentException(
                            "a text that is encoded whole has %,d characters or fewer; it has %,d"
                                    .formatted(TextPieces.LONGEST, text.length()));
                }
                return encoded(text, true);
            }
            int[] tokens = {};
            for (String piece : TextPieces.of(text)) {
                int[] next = encoded(piece, false);
                int from = tokens.length;
                tokens = Arrays.copyOf(tokens, from + next.length);
                System.arraycopy(next, 0, tokens, from, next.length);
            }
            return tokens;
        }

        private int[] encoded(String text, boolean isWhole) {
            long encoding = TokenizersLibrary.LIB.encode(handle, text, isWhole);
            try {
                return Arrays.stream(TokenizersLibrary.LIB.getTokenIds(encoding))
                        .mapToInt(Math::toIntExact)
                        .toArray();
            } finally {
                TokenizersLibrary.LIB.deleteEncoding(encoding);
                Reference.reachabilityFence(this);
            }
        }

        @Override
        public String decode(int[] tokens) {
            try {
                return TokenizersLibrary.LIB.decode(
                        handle, Arrays.stream(tokens).asLongStream().toArray(), true);
            } finally {
                Reference.reachabilityFence(this);
            }
        }
    }
}
