package org.fleetgrad.e2e.faults;

import java.time.Duration;

/** How long the server has been up, all its lives together: time in which a call has no excuse. Safe from several threads. */
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
