package org.fleetgrad.testing;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands still until the test moves it. Thread-safe. */
public final class ManualClock extends Clock {

    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

    /** Moves the clock on. */
    public synchronized void advance(Duration by) {
        now = now.plus(by);
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("this clock tells UTC only, asked was " + zone);
    }
}
