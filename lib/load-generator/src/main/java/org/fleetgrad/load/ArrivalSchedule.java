package org.fleetgrad.load;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Decides which request is next, and when it was due.
 *
 * <p>With a rate (open loop), request i is due i/rate seconds after the beginning, whether or not a client is free: if all
 * of them still wait for responses, the request is late, and its latency counts from its due time. Otherwise a server that
 * stalls for a second would get fewer requests in that second, and would seem fast (coordinated omission, Gil Tene, "How NOT
 * to Measure Latency"). Without a rate (closed loop), a request is due when a client is free.
 *
 * <p>Thread-safe: all clients of a phase take their requests from it.
 */
final class ArrivalSchedule {

    private static final double NANOS_A_SECOND = 1e9;

    private final LoadClock clock;
    private final long beginNanos;
    private final long requests;
    private final OptionalDouble rate;
    private final AtomicLong next = new AtomicLong();
    private volatile boolean isStopped;

    ArrivalSchedule(LoadClock clock, long beginNanos, long requests, OptionalDouble rate) {
        this.clock = clock;
        this.beginNanos = beginNanos;
        this.requests = requests;
        this.rate = rate;
    }

    /** The number of a request that a client sends next, from 0, and when it was due. */
    record Turn(long number, long dueNanos) {}

    /** Takes the next request and waits until it is due; empty if there are no more. */
    Optional<Turn> next() throws InterruptedException {
        long number = next.getAndIncrement();
        if (number >= requests || isStopped) {
            return Optional.empty();
        }
        long due = clock.nanos();
        if (rate.isPresent()) {
            due = beginNanos + Math.round((double) number * NANOS_A_SECOND / rate.getAsDouble());
            clock.awaitUntil(due);
        }
        return isStopped ? Optional.empty() : Optional.of(new Turn(number, due));
    }

    void stop() {
        isStopped = true;
    }

    boolean isStopped() {
        return isStopped;
    }
}
