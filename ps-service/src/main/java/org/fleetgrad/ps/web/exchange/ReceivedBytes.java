package org.fleetgrad.ps.web.exchange;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.ProblemKind;

/**
 * Bounds the memory of request bodies by what has arrived, not by what was announced: many clients that announce much
 * and send little lock nobody out. Thread-safe.
 */
final class ReceivedBytes {

    private final long limitBytes;
    private final AtomicLong held = new AtomicLong();

    /**
     * @param limitBytes maximum bytes of all bodies that arrive at one time
     */
    ReceivedBytes(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Opens the share of one request. */
    Reservation newReservation() {
        return new Reservation();
    }

    /** The memory that one request has reserved; released when it is closed. */
    final class Reservation implements AutoCloseable {

        private long bytes;

        /** Reserves more, or refuses the request if all requests together would exceed the limit. */
        void grow(long more) {
            long now = held.addAndGet(more);
            if (now > limitBytes) {
                held.addAndGet(-more);
                throw new RequestRefused(
                        ProblemKind.BUSY,
                        "bodies that arrive take %d bytes, and this one would take %d more; allowed are %d"
                                .formatted(now - more, more, limitBytes),
                        Map.of("limitBytes", limitBytes),
                        Map.of("Retry-After", "1"));
            }
            bytes += more;
        }

        @Override
        public void close() {
            held.addAndGet(-bytes);
            bytes = 0;
        }
    }

    long held() {
        return held.get();
    }
}
