package org.fleetgrad.ps.parameters;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/** Direct buffers of one size, used again. Safe from several threads. */
final class BufferPool {

    /** Spare buffers kept beside those in use: one being written, and a few that readers let go of together. */
    private static final int SPARE_BUFFERS = 4;

    private final int bytes;
    private final ConcurrentLinkedDeque<ByteBuffer> spare = new ConcurrentLinkedDeque<>();
    private final AtomicInteger spares = new AtomicInteger();

    BufferPool(long bytes) {
        this.bytes = Math.toIntExact(bytes);
    }

    ByteBuffer take() {
        ByteBuffer buffer = spare.poll();
        if (buffer == null) {
            return ByteBuffer.allocateDirect(bytes);
        }
        spares.decrementAndGet();
        return buffer.clear();
    }

    void giveBack(ByteBuffer buffer) {
        if (spares.incrementAndGet() <= SPARE_BUFFERS) {
            spare.push(buffer);
        } else {
            spares.decrementAndGet();
        }
    }
}
