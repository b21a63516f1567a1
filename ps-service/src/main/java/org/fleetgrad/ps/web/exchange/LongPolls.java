package org.fleetgrad.ps.web.exchange;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The time of requests that wait for another version. */
interface LongPolls {

    /** By the clock of {@link System#nanoTime}. */
    LongPolls SYSTEM = new LongPolls() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public CompletableFuture<Void> endAfter(CompletableFuture<Void> change, long nanos) {
            return change.completeOnTimeout(null, nanos, TimeUnit.NANOSECONDS);
        }
    };

    /** Returns the time, as {@link System#nanoTime}. */
    long nanos();

    /** Completes a change that has not come by then, and returns it. */
    CompletableFuture<Void> endAfter(CompletableFuture<Void> change, long nanos);
}
