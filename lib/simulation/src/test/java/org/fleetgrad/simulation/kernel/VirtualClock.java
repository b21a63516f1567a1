package org.fleetgrad.simulation.kernel;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The clock of one machine: the kernel's time, and what the machine's clock has jumped. */
public final class VirtualClock extends Clock {

    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final Kernel kernel;
    private Duration jumped = Duration.ZERO;

    public VirtualClock(Kernel kernel) {
        this.kernel = kernel;
    }

    public void jump(Duration by) {
        jumped = jumped.plus(by);
    }

    @Override
    public Instant instant() {
        return BEGIN.plusNanos(kernel.nanos()).plus(jumped);
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
