package org.fleetgrad.ps.web.exchange;

import org.fleetgrad.ps.parameters.BufferPool;

/** Arrays for encoded gradients, reused across requests. Thread-safe. */
final class BodyBuffers {

    /** Size of a connection's input buffer, and so the largest chunk: it stays in the CPU cache until it is read again. */
    static final int CHUNK_BYTES = 64 * 1024;

    private static final int SPARE_BUFFERS = 16;

    /** The fraction of the heap for spare arrays is one in this many. */
    private static final int SHARE_OF_HEAP = 32;

    private final BufferPool<byte[]> arrays =
            BufferPool.ofBytes(SPARE_BUFFERS, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);

    /** Lends an array of at least {@code length} bytes. */
    byte[] acquire(int length) {
        // Headers differ by a few digits: rounded up, the array fits the next body too.
        long rounded = ((long) length + CHUNK_BYTES - 1) / CHUNK_BYTES * CHUNK_BYTES;
        return arrays.take((int) Math.min(rounded, Integer.MAX_VALUE - 8));
    }

    void release(byte[] array) {
        arrays.release(array);
    }
}
