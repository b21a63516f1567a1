package org.fleetgrad.serving.batching;

import java.util.concurrent.locks.Condition;

/** The clock of a batcher; tests pass their own. */
interface BatchClock {

    BatchClock MACHINE = new BatchClock() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        // The batcher loops around it.
        @SuppressWarnings("WaitNotInLoop")
        @Override
        public void await(Condition arrived, long nanos) throws InterruptedException {
            long unused = arrived.awaitNanos(nanos);
        }
    };

    /** Returns a time in nanoseconds from an arbitrary origin. */
    long nanos();

    /** Waits for a request, at most {@code nanos}; it may return earlier. */
    void await(Condition arrived, long nanos) throws InterruptedException;
}
