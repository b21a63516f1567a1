package org.fleetgrad.inference.web;

import java.util.Map;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.ProblemKind;

/**
 * Bounds the memory of the bodies of all requests together, from before they are read until they are answered. The first bytes of
 * each body are free, so that large bodies never keep a small one out: their number is bounded by that of the threads. Thread-safe.
 */
final class BodyMemory {

    /** As many bytes as a body may have that is collected without a thread. */
    static final int FREE_BYTES = 64 * 1024;

    private final long most;
    private long reserved;

    /**
     * Makes a memory.
     *
     * @param most bytes of all bodies together, beyond the free ones
     */
    BodyMemory(long most) {
        this.most = most;
    }

    synchronized long reserved() {
        return reserved;
    }

    private synchronized void add(long bytes, long own) {
        if (own + bytes > most) {
            throw new RequestRefused(
                    ProblemKind.TOO_LARGE,
                    "reading the body takes %d bytes of memory, and the bodies of all requests may take %d together (inference.body-memory)"
                            .formatted(own + bytes, most),
                    Map.of("limitBytes", most));
        }
        if (bytes > most - reserved) {
            throw RequestRefused.forNow(
                    ProblemKind.BUSY,
                    "the bodies of other requests take %d bytes, and this one needs %d; together they may take %d"
                            .formatted(reserved - own, bytes + own, most));
        }
        reserved += bytes;
    }

    private synchronized void free(long bytes) {
        reserved -= bytes;
    }

    Reservation begin() {
        return new Reservation();
    }

    /** The memory of one body. For one thread at a time. */
    final class Reservation implements AutoCloseable {

        private long bytes;

        private Reservation() {}

        /** Reserves memory for an array of a body, beside what the body has. Refuses the request if there is not as much. */
        byte[] array(int length) {
            long counted = Math.max(0, length - FREE_BYTES);
            add(counted, this.bytes);
            bytes += counted;
            return new byte[length];
        }

        /** Gives back the memory of an array that is no longer used. */
        void drop(byte[] array) {
            long counted = Math.max(0, array.length - FREE_BYTES);
            free(counted);
            bytes -= counted;
        }

        /** Gives all memory back. */
        @Override
        public void close() {
            free(bytes);
            bytes = 0;
        }
    }
}
