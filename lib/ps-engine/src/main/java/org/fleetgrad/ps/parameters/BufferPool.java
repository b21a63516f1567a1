package org.fleetgrad.ps.parameters;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reuses buffers, so that a request costs no allocation. The pool retains up to a fixed number of spare buffers, and of
 * bytes in them if that is bounded; it drops any others that are given back. Thread-safe.
 *
 * @param <B> an array or a buffer
 */
public final class BufferPool<B> {

    private final int maxSpare;
    private final long maxBytes;
    private final ToLongFunction<B> bytes;
    private final IntFunction<B> allocator;
    private final Fit<B> fit;
    private final ConcurrentLinkedDeque<B> spare = new ConcurrentLinkedDeque<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong spareBytes = new AtomicLong();

    /** Tells whether a spare buffer serves a request for so many elements. */
    @FunctionalInterface
    private interface Fit<B> {
        boolean fits(B buffer, int size);
    }

    private BufferPool(int maxSpare, IntFunction<B> allocator, Fit<B> fit) {
        this(maxSpare, Long.MAX_VALUE, buffer -> 0, allocator, fit);
    }

    private BufferPool(int maxSpare, long maxBytes, ToLongFunction<B> bytes, IntFunction<B> allocator, Fit<B> fit) {
        this.maxSpare = maxSpare;
        this.maxBytes = maxBytes;
        this.bytes = bytes;
        this.allocator = allocator;
        this.fit = fit;
    }

    /** Makes a pool of float arrays; an array has exactly the requested length. */
    public static BufferPool<float[]> ofFloats(int maxSpare) {
        return new BufferPool<>(maxSpare, float[]::new, (array, size) -> array.length == size);
    }

    /**
     * Makes a pool of byte arrays; an array has at least the requested length.
     *
     * @param maxBytes of all spare arrays together
     */
    public static BufferPool<byte[]> ofBytes(int maxSpare, long maxBytes) {
        return new BufferPool<>(
                maxSpare, maxBytes, array -> array.length, byte[]::new, (array, size) -> array.length >= size);
    }

    /** Makes a pool of cleared buffers outside the heap; a buffer has exactly the requested capacity. */
    public static BufferPool<ByteBuffer> ofDirectBuffers(int maxSpare) {
        return new BufferPool<>(
                maxSpare,
                ByteBuffer::allocateDirect,
                (buffer, size) -> buffer.clear().capacity() == size);
    }

    /** Returns the buffer that was given back last if it fits, else a new one; its contents are undefined. */
    public B take(int size) {
        @Nullable B last = spare.poll();
        if (last == null) {
            return allocator.apply(size);
        }
        count.decrementAndGet();
        spareBytes.addAndGet(-bytes.applyAsLong(last));
        return fit.fits(last, size) ? last : allocator.apply(size);
    }

    /** Takes a buffer back; the caller no longer uses it. */
    public void release(B buffer) {
        long size = bytes.applyAsLong(buffer);
        if (count.incrementAndGet() > maxSpare) {
            count.decrementAndGet();
            return;
        }
        if (spareBytes.addAndGet(size) > maxBytes) {
            spareBytes.addAndGet(-size);
            count.decrementAndGet();
            return;
        }
        spare.push(buffer);
    }
}
