package org.fleetgrad.ps.parameters;

import java.nio.ByteBuffer;

/** Direct buffers of one size, used again. Safe from several threads. */
final class BufferPool {

    /** Spare buffers kept beside those in use: one being written, and a few that readers let go of together. */
    private static final int SPARE_BUFFERS = 4;

    private final int bytes;
    private final Spares<ByteBuffer> spares = new Spares<>(SPARE_BUFFERS);

    BufferPool(long bytes) {
        this.bytes = Math.toIntExact(bytes);
    }

    ByteBuffer take() {
        return spares.take().map(ByteBuffer::clear).orElseGet(() -> ByteBuffer.allocateDirect(bytes));
    }

    void giveBack(ByteBuffer buffer) {
        spares.giveBack(buffer);
    }
}
