package org.fleetgrad.ps.parameters;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reuses buffers, so that a request costs no allocation. The pool retains up to a fixed number of spare buffers, and of
 * bytes in them if that is bounded; it drops any others that are given back. Thread-safe.
 *
 * @param <B> an array or a buffer
 */
public final class BufferPool<B> {

    private final int maxSpare;
    private final long maxLength;
    private final boolean isExact;
    private final ToIntFunction<B> length;
    private final IntFunction<B> allocator;
    private final ConcurrentLinkedDeque<B> spare = new ConcurrentLinkedDeque<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong spareLength = new AtomicLong();

    private BufferPool(
            int maxSpare, long maxLength, boolean isExact, ToIntFunction<B> length, IntFunction<B> allocator) {
        this.maxSpare = maxSpare;
        this.maxLength = maxLength;
        this.isExact = isExact;
        this.length = length;
        this.allocator = allocator;
    }

    /** Makes a pool of float arrays; an array has exactly the requested length. */
    public static BufferPool<float[]> ofFloats(int maxSpare) {
        return new BufferPool<>(maxSpare, Long.MAX_VALUE, true, array -> array.length, float[]::new);
    }

    /**
     * Makes a pool of byte arrays; an array has at least the requested length.
     *
     * @param maxBytes of all spare arrays together
     */
    public static BufferPool<byte[]> ofBytes(int maxSpare, long maxBytes) {
        return new BufferPool<>(maxSpare, maxBytes, false, array -> array.length, byte[]::new);
    }

    /** Makes a pool of buffers outside the heap; a buffer has exactly the requested capacity. */
    static BufferPool<ByteBuffer> ofDirectBuffers(int maxSpare) {
        return new BufferPool<>(maxSpare, Long.MAX_VALUE, true, ByteBuffer::capacity, ByteBuffer::allocateDirect);
    }

    /** Returns the buffer that was given back last if it fits, else a new one; its contents are undefined. */
    public B take(int size) {
        @Nullable B last = spare.poll();
        if (last == null) {
            return allocator.apply(size);
        }
        count.decrementAndGet();
        int found = length.applyAsInt(last);
        spareLength.addAndGet(-found);
        return found == size || (found > size && !isExact) ? last : allocator.apply(size);
    }

    /** Takes a buffer back; the caller no longer uses it. */
    public void release(B buffer) {
        int size = length.applyAsInt(buffer);
        if (count.incrementAndGet() > maxSpare) {
            count.decrementAndGet();
            return;
        }
        if (spareLength.addAndGet(size) > maxLength) {
            spareLength.addAndGet(-size);
            count.decrementAndGet();
            return;
        }
        spare.push(buffer);
    }
}
