package org.fleetgrad.datasets.text;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Decodes UTF-8 that comes in pieces, which may cut a character: its bytes wait until it is whole. Bytes that are not UTF-8 become
 * U+FFFD. Not thread-safe.
 */
final class WholeCharacters {

    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    private byte[] waiting = {};

    /** Returns the characters that are whole now. */
    String append(byte[] piece) {
        ByteBuffer bytes = ByteBuffer.allocate(waiting.length + piece.length)
                .put(waiting)
                .put(piece)
                .flip();
        // Each byte gives one char at most.
        CharBuffer chars = CharBuffer.allocate(bytes.remaining());
        decoder.decode(bytes, chars, false);
        waiting = new byte[bytes.remaining()];
        bytes.get(waiting);
        return chars.flip().toString();
    }
}
