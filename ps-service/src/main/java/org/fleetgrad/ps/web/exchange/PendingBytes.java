package org.fleetgrad.ps.web.exchange;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.fleetgrad.ps.settings.PendingLimit;
import org.fleetgrad.ps.web.problem.ProblemKind;
import org.fleetgrad.ps.web.problem.RequestRefused;

/**
 * Bounds the memory of gradients that the server is reading and applying, from their first byte to their answer. If there is
 * none, a gradient of any size is let in. Thread-safe.
 */
final class PendingBytes {

    /** Clients that were refused come again within this time. */
    private static final long SHORT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final PendingLimit limits;
    private final AtomicLong held = new AtomicLong();
    private volatile boolean isRefusing;
    private volatile long refusedNanos;

    PendingBytes(PendingLimit limits) {
        this.limits = limits;
    }

    /** The memory of one gradient; closed after its answer. */
    final class Part implements AutoCloseable {
        private final long bytes;

        private Part(long bytes) {
            this.bytes = bytes;
        }

        @Override
        public void close() {
            held.addAndGet(-bytes);
        }
    }

    /**
     * Takes memory for a gradient, or refuses the request if the other gradients leave too little.
     *
     * @param parameterBytes of the parameter set, which the limit follows from
     */
    Part take(long bytes, long parameterBytes) {
        long limit = limits.of(parameterBytes);
        long now = held.addAndGet(bytes);
        if (now > limit && now > bytes) {
            held.addAndGet(-bytes);
            refusedNanos = System.nanoTime();
            isRefusing = true;
            throw RequestRefused.forNow(
                    ProblemKind.BUSY,
                    "gradients in the server take %d bytes, and this one would take %d more; allowed are %d"
                            .formatted(now - bytes, bytes, limit));
        }
        return new Part(bytes);
    }

    /** Tells whether half of the memory is free even with this gradient: then nobody is kept out by it. */
    boolean hasPlenty(long bytes, long parameterBytes) {
        return held.get() + bytes <= limits.of(parameterBytes) / 2;
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
