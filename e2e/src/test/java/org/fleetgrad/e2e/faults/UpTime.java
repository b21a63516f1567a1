package org.fleetgrad.e2e.faults;

import java.time.Duration;

/** The time the server has been up, over all its starts; during it a call must not hang. Thread-safe. */
final class UpTime {

    private long nanos;
    private long since;
    private boolean isUp;

    synchronized void begin() {
        if (!isUp) {
            isUp = true;
            since = System.nanoTime();
        }
    }

    synchronized void end() {
        nanos = nanos();
        isUp = false;
    }

    synchronized Duration total() {
        return Duration.ofNanos(nanos());
    }

    private long nanos() {
        return isUp ? nanos + System.nanoTime() - since : nanos;
    }
}
