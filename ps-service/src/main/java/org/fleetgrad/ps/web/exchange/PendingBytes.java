package org.fleetgrad.ps.web.exchange;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.ps.settings.PendingLimit;

/**
 * Bounds the memory of gradients that the server is reading and applying, from their first byte to their response. If
 * there is no other, a gradient of any size is admitted. Thread-safe.
 */
final class PendingBytes {

    /** Clients that were refused retry within this time. */
    private static final long SHORT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final PendingLimit limits;
    private final AtomicLong held = new AtomicLong();
    private volatile boolean isRefusing;
    private volatile long refusedNanos;

    PendingBytes(PendingLimit limits) {
        this.limits = limits;
    }

    /** The memory of one gradient; closed after its response. */
    final class Reservation implements AutoCloseable {
        private final long bytes;

        private Reservation(long bytes) {
            this.bytes = bytes;
        }

        @Override
        public void close() {
            held.addAndGet(-bytes);
        }
    }

    /**
     * Reserves memory for a gradient, or refuses the request if the other gradients leave too little.
     *
     * @param parameterBytes of the parameter set, which determine the limit
     */
    Reservation reserve(long bytes, long parameterBytes) {
        long limit = limits.of(parameterBytes);
        long others = tryReserve(bytes, limit, true);
        if (others >= 0) {
            refusedNanos = System.nanoTime();
            isRefusing = true;
            throw RequestRefused.forNow(
                    ProblemKind.BUSY,
                    "gradients in the server take %d bytes, and this one would take %d more; allowed are %d"
                            .formatted(others, bytes, limit));
        }
        return new Reservation(bytes);
    }

    /** Reserves memory for a gradient if half of the limit stays free: then it locks nobody out. */
    Optional<Reservation> tryReserveHalf(long bytes, long parameterBytes) {
        return tryReserve(bytes, limits.of(parameterBytes) / 2, false) < 0
                ? Optional.of(new Reservation(bytes))
                : Optional.empty();
    }

    /**
     * Returns -1 if it reserved the bytes, otherwise what the others hold. Two concurrent calls do not refuse each
     * other.
     */
    private long tryReserve(long bytes, long limit, boolean isFirstFree) {
        while (true) {
            long others = held.get();
            if (others + bytes > limit && !(isFirstFree && others == 0)) {
                return others;
            }
            if (held.compareAndSet(others, others + bytes)) {
                return -1;
            }
        }
    }

    /** Tells whether a gradient was refused a short time ago. */
    boolean isShort() {
        if (isRefusing && System.nanoTime() - refusedNanos > SHORT_NANOS) {
            isRefusing = false;
        }
        return isRefusing;
    }

    long held() {
        return held.get();
    }
}
