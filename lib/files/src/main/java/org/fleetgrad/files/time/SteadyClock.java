package org.fleetgrad.files.time;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.function.LongSupplier;

/**
 * A clock that nobody can set. It starts at the machine's time of day and goes on by {@link System#nanoTime}. So a lease, an interval or
 * a patience lasts as long as it should when somebody, or the time service, sets the machine's clock an hour back. Its instants are
 * for differences: the time of day may be another by now. Thread-safe.
 */
public final class SteadyClock extends Clock {

    private static final SteadyClock SYSTEM = new SteadyClock(Clock.systemUTC(), System::nanoTime);

    private final ZoneId zone;
    private final LongSupplier nanos;
    private final Instant begin;
    private final long beginNanos;

    /**
     * Starts at a time of day.
     *
     * @param nanos as {@link System#nanoTime}
     */
    SteadyClock(Clock timeOfDay, LongSupplier nanos) {
        this(timeOfDay.getZone(), nanos, timeOfDay.instant(), nanos.getAsLong());
    }

    private SteadyClock(ZoneId zone, LongSupplier nanos, Instant begin, long beginNanos) {
        this.zone = zone;
        this.nanos = nanos;
        this.begin = begin;
        this.beginNanos = beginNanos;
    }

    /** Returns the clock of this process. */
    public static SteadyClock system() {
        return SYSTEM;
    }

    /** Returns the clock of this process in place of the machine's; a test's clock, which goes only as it is told, stays as it is. */
    public static Clock inPlaceOf(Clock timeOfDay) {
        return timeOfDay.equals(Clock.systemUTC()) ? SYSTEM : timeOfDay;
    }

    @Override
    public Instant instant() {
        return begin.plusNanos(nanos.getAsLong() - beginNanos);
    }

    @Override
    public ZoneId getZone() {
        return zone;
    }

    @Override
    public Clock withZone(ZoneId other) {
        return other.equals(zone) ? this : new SteadyClock(other, nanos, begin, beginNanos);
    }
}
