package org.fleetgrad.testing;

import java.time.Duration;
import java.time.Instant;

/** A clock that stands still until the test moves it. Thread-safe. */
public final class ManualClock extends UtcClock {

    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

    public synchronized void advance(Duration by) {
        now = now.plus(by);
    }

    @Override
    public Instant instant() {
        return now;
    }
}
