package org.fleetgrad.runs.start;

import java.time.Duration;

/** A clock that only pauses advance. */
final class ManualStartClock {

    private long nanos = Long.MAX_VALUE - 5;

    long nanos() {
        return nanos;
    }

    void sleep(Duration time) {
        nanos += time.toNanos();
    }
}
