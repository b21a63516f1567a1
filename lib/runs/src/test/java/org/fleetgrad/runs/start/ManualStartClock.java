package org.fleetgrad.runs.start;

import java.time.Duration;

/** A clock that only pauses advance. */
final class ManualStartClock implements StartClock {

    private long nanos = Long.MAX_VALUE - 5;

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public void sleep(Duration time) {
        nanos += time.toNanos();
    }
}
