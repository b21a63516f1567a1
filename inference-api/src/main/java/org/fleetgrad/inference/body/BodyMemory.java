package org.fleetgrad.inference.body;

import java.util.Map;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.ProblemKind;

/**
 * Bounds the memory of all requests' bodies together, of HTTP and of gRPC, from before they are read until they are answered. The first
 * bytes of each body are free, so that large bodies never keep a small one out: their number is bounded by that of the threads, and by
 * that of the calls. Thread-safe.
 */
public final class BodyMemory {

    /** As many bytes as a body may have that is collected without a thread. */
    public static final int FREE_BYTES = 64 * 1024;

    /** Whatever the setting, most of the heap stays for samples and answers. */
    private static final int HEAP_SHARE = 4;

    private final long most;
    private long reserved;

    /**
     * Makes a memory.
     *
     * @param most bytes of all bodies together, beyond the free ones
     */
    public BodyMemory(long most) {
        this.most = most;
    }

    /** Makes a memory of the size that is set, or of a quarter of the heap if that is less. */
    public static BodyMemory of(long set, long heap) {
        return new BodyMemory(Math.min(set, heap / HEAP_SHARE));
    }

    /** Returns the bytes that all bodies have now, beyond the free ones. */
    public synchronized long reserved() {
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
                    "the bodies of other requests take %d bytes, and this one needs %d; together they may take %d (inference.body-memory)"
                            .formatted(reserved - own, bytes + own, most));
        }
        reserved += bytes;
    }

    private synchronized void free(long bytes) {
        reserved -= bytes;
    }

    /** Begins a body, which has no memory yet. */
    public Reservation begin() {
        return new Reservation();
    }

    /** The memory of one body. For one thread at a time. */
    public final class Reservation implements AutoCloseable {

        private long bytes;

        private Reservation() {}

        /**
         * Reserves memory beside what the body has.
         *
         * @throws RequestRefused if there is not as much; the body keeps what it has
         */
        public void take(long more) {
            long counted = beyondFree(bytes + more) - beyondFree(bytes);
            add(counted, beyondFree(bytes));
            bytes += more;
        }

        /** Reserves as much memory that the body has so many bytes, if it has not. */
        public void takeUpTo(long total) {
            if (total > bytes) {
                take(total - bytes);
            }
        }

        /** Reserves memory for an array of a body, beside what the body has. Refuses the request if there is not as much. */
        public byte[] array(int length) {
            take(length);
            return new byte[length];
        }

        /** Gives back the memory of an array that is no longer used. */
        public void drop(byte[] array) {
            free(beyondFree(bytes) - beyondFree(bytes - array.length));
            bytes -= array.length;
        }

        /** Gives all memory back. */
        @Override
        public void close() {
            free(beyondFree(bytes));
            bytes = 0;
        }

        private static long beyondFree(long bytes) {
            return Math.max(0, bytes - FREE_BYTES);
        }
    }
}
