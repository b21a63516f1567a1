package org.fleetgrad.ps.web;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Buffers between the connections and the arrays of gradients, used again from request to request. Safe from several threads. */
final class BodyBuffers {

    /** Small enough to be still in the cache when it is read again. */
    static final int CHUNK_BYTES = 64 * 1024;

    private static final int SPARE_BUFFERS = 16;

    private final Pool<ByteBuffer> chunks = new Pool<>();
    private final Pool<byte[]> wholes = new Pool<>();

    /** What was given back, up to a number. */
    private static final class Pool<T> {
        private final ConcurrentLinkedDeque<T> spare = new ConcurrentLinkedDeque<>();
        private final AtomicInteger spares = new AtomicInteger();

        @Nullable
        T take() {
            T buffer = spare.poll();
            if (buffer != null) {
                spares.decrementAndGet();
            }
            return buffer;
        }

        void giveBack(T buffer) {
            if (spares.incrementAndGet() <= SPARE_BUFFERS) {
                spare.push(buffer);
            } else {
                spares.decrementAndGet();
            }
        }
    }

    /** Lends a little-endian buffer of {@link #CHUNK_BYTES} outside the heap. */
    ByteBuffer takeChunk() {
        ByteBuffer chunk = chunks.take();
        return (chunk == null ? ByteBuffer.allocateDirect(CHUNK_BYTES) : chunk.clear()).order(ByteOrder.LITTLE_ENDIAN);
    }

    void giveBackChunk(ByteBuffer chunk) {
        chunks.giveBack(chunk);
    }

    /** Lends an array of at least {@code length} bytes. */
    byte[] takeWhole(int length) {
        byte[] whole = wholes.take();
        if (whole != null && whole.length >= length) {
            return whole;
        }
        // Headers differ by a few digits: rounded up, one buffer fits the next body too.
        long rounded = ((long) length + CHUNK_BYTES - 1) / CHUNK_BYTES * CHUNK_BYTES;
        return new byte[(int) Math.min(rounded, Integer.MAX_VALUE - 8)];
    }

    void giveBackWhole(byte[] whole) {
        wholes.giveBack(whole);
    }
}
