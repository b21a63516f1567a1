package org.fleetgrad.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** A clock that stands still until the test moves it. Thread-safe. */
public final class ManualClock extends UtcClock {

    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

    public synchronized void advance(Duration by) {
        now = now.plus(by);
    }

    /** Returns the time as {@link System#nanoTime} does: only differences mean something. */
    public long nanos() {
        return ChronoUnit.NANOS.between(Instant.EPOCH, now);
    }

    @Override
    public Instant instant() {
        return now;
    }
}
