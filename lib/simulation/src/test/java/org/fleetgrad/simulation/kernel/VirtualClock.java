package org.fleetgrad.simulation.kernel;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The clock of one machine: the kernel's time, and how far somebody has set the machine's clock wrong. */
public final class VirtualClock extends Clock {

    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final Kernel kernel;
    private Duration skew = Duration.ZERO;

    public VirtualClock(Kernel kernel) {
        this.kernel = kernel;
    }

    /** Sets the clock wrong: it jumps, and shows so much more than the kernel's time from now on. */
    public void set(Duration more) {
        skew = more;
    }

    @Override
    public Instant instant() {
        return BEGIN.plusNanos(kernel.nanos()).plus(skew);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return Clock.fixed(instant(), zone);
    }
}
