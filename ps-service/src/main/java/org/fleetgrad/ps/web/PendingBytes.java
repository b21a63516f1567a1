package org.fleetgrad.ps.web;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the memory of gradients on their way through the server, from the first byte that is read to the answer. One
 * gradient is always let in, however large it is. Safe from several threads.
 */
final class PendingBytes {

    private final long limit;
    private final AtomicLong held = new AtomicLong();

    PendingBytes(long limit) {
        this.limit = limit;
    }

    /** The part of one request. */
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

    /** Takes the part of a gradient, or refuses the request where the others have all of it. */
    Part take(long bytes) {
        long now = held.addAndGet(bytes);
        if (now > limit && now > bytes) {
            held.addAndGet(-bytes);
            throw new RequestRefused(
                    ProblemKind.BUSY,
                    "gradients on their way take %d bytes, and this one would take %d more; allowed are %d"
                            .formatted(now - bytes, bytes, limit),
                    Map.of(),
                    Map.of("Retry-After", "1"));
        }
        return new Part(bytes);
    }

    long held() {
        return held.get();
    }
}
