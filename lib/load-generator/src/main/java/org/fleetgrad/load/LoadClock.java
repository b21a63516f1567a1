package org.fleetgrad.load;

import java.util.concurrent.locks.LockSupport;

/** The time of a load. Thread-safe. */
public interface LoadClock {

    LoadClock SYSTEM = new LoadClock() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void awaitUntil(long nanos) throws InterruptedException {
            for (long left = nanos - nanos(); left > 0; left = nanos - nanos()) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                LockSupport.parkNanos(this, left);
            }
        }
    };

    /** Returns a monotonic time in nanoseconds; only differences are meaningful. */
    long nanos();

    /** Waits until that time; not at all if it has passed. */
    void awaitUntil(long nanos) throws InterruptedException;
}
