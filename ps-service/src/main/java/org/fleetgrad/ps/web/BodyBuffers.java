package org.fleetgrad.ps.web;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.fleetgrad.ps.parameters.Spares;

/** Buffers between the connections and the arrays of gradients, used again from request to request. Safe from several threads. */
final class BodyBuffers {

    /** Small enough to be still in the cache when it is read again. */
    static final int CHUNK_BYTES = 64 * 1024;

    private static final int SPARE_BUFFERS = 16;

    private final Spares<ByteBuffer> chunks = new Spares<>(SPARE_BUFFERS);
    private final Spares<byte[]> wholes = new Spares<>(SPARE_BUFFERS);

    /** Lends a little-endian buffer of {@link #CHUNK_BYTES} outside the heap. */
    ByteBuffer takeChunk() {
        return chunks.take()
                .map(ByteBuffer::clear)
                .orElseGet(() -> ByteBuffer.allocateDirect(CHUNK_BYTES))
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    void giveBackChunk(ByteBuffer chunk) {
        chunks.giveBack(chunk);
    }

    /** Lends an array of at least {@code length} bytes. */
    byte[] takeWhole(int length) {
        return wholes.take().filter(whole -> whole.length >= length).orElseGet(() -> newWhole(length));
    }

    private static byte[] newWhole(int length) {
        // Headers differ by a few digits: rounded up, one buffer fits the next body too.
        long rounded = ((long) length + CHUNK_BYTES - 1) / CHUNK_BYTES * CHUNK_BYTES;
        return new byte[(int) Math.min(rounded, Integer.MAX_VALUE - 8)];
    }

    void giveBackWhole(byte[] whole) {
        wholes.giveBack(whole);
    }
}
