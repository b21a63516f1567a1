package org.fleetgrad.runs.start;

import java.time.Duration;

/** The time of a wait. Thread-safe. */
interface StartClock {

    /** The system's. */
    StartClock SYSTEM = new StartClock() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void sleep(Duration time) throws InterruptedException {
            Thread.sleep(time.toMillis());
        }
    };

    /** Returns a monotonic time in nanoseconds; only differences are meaningful. */
    long nanos();

    /** Returns after this time. */
    void sleep(Duration time) throws InterruptedException;
}
