package org.fleetgrad.serving;

import java.util.Arrays;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.fleetgrad.serving.images.InvalidImagesException.Rule;

/**
 * The memory of the samples of requests, from when they are read until they are answered. A row of a table or a text may take a few
 * bytes of a body and much of this memory, so a request leases it before it allocates. Thread-safe.
 */
public final class SampleMemory {

    private final long most;
    private long leased;

    /**
     * Makes a memory.
     *
     * @param most bytes that the samples of all requests together may take
     */
    public SampleMemory(long most) {
        this.most = most;
    }

    /** Returns the bytes that are leased now. */
    public synchronized long leased() {
        return leased;
    }

    private synchronized void take(long bytes, int samples) {
        if (bytes > most) {
            throw new InvalidImagesException(
                    Rule.TOO_MANY,
                    "the %,d samples of the request take %,d bytes of memory; those of all requests may take %,d: send fewer in a request"
                            .formatted(samples, bytes, most));
        }
        if (bytes > most - leased) {
            throw new InvalidImagesException(
                    Rule.BUSY,
                    "the samples of other requests take %,d bytes of memory, and those of this one take %,d; together they may take %,d"
                            .formatted(leased, bytes, most));
        }
        leased += bytes;
    }

    private synchronized void free(long bytes) {
        leased -= bytes;
    }

    /** Begins the lease of a request, which has no memory yet. */
    public Lease lease() {
        return new Lease();
    }

    /** The memory of one request. For one thread at a time. */
    public final class Lease implements AutoCloseable {

        private long bytes;

        private Lease() {}

        /**
         * Allocates the values of the request's samples.
         *
         * @throws InvalidImagesException if they take more than all requests may, or than others have left
         */
        public float[] floats(int samples, int valuesEach) {
            long needed = (long) samples * valuesEach * Float.BYTES;
            take(needed, samples);
            bytes += needed;
            return new float[Math.multiplyExact(samples, valuesEach)];
        }

        /**
         * Allocates values that a request's samples continue in, when it is not known how many there are.
         *
         * @param before  the values so far, which are copied, and no longer used
         * @param samples those so far
         * @throws InvalidImagesException if both together take more than all requests may, or than others have left
         */
        public float[] resized(float[] before, int length, int samples) {
            take((long) length * Float.BYTES, samples);
            bytes += (long) (length - before.length) * Float.BYTES;
            float[] next = Arrays.copyOf(before, length);
            free((long) before.length * Float.BYTES);
            return next;
        }

        /** Gives the memory back; the arrays are no longer used. */
        @Override
        public void close() {
            free(bytes);
            bytes = 0;
        }
    }
}
