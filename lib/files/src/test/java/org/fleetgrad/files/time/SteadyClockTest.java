package org.fleetgrad.files.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import org.fleetgrad.testing.UtcClock;
import org.junit.jupiter.api.Test;

class SteadyClockTest {

    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
    private final AtomicLong setBySeconds = new AtomicLong();
    private final Clock timeOfDay = new UtcClock() {
        @Override
        public Instant instant() {
            return BEGIN.plusSeconds(setBySeconds.get());
        }
    };
    private final SteadyClock clock = new SteadyClock(timeOfDay, nanos::get);

    @Test
    void shouldGoOnAsIfNobodyHadSetTheTimeOfDay() {
        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        setBySeconds.set(-3600);

        assertThat(clock.instant()).isEqualTo(BEGIN.plusSeconds(5));
        assertThat(clock.getZone()).isEqualTo(ZoneOffset.UTC);
        assertThat(clock.withZone(ZoneOffset.UTC)).isSameAs(clock);
        assertThat(clock.withZone(ZoneOffset.MAX).instant()).isEqualTo(BEGIN.plusSeconds(5));
    }

    @Test
    void shouldBeginWithTheTimeOfDay() {
        Instant before = Instant.now();

        assertThat(SteadyClock.inPlaceOf(Clock.systemUTC())).isSameAs(SteadyClock.system());
        assertThat(SteadyClock.inPlaceOf(timeOfDay)).isSameAs(timeOfDay);
        assertThat(SteadyClock.system().instant()).isBetween(before.minusSeconds(60), before.plusSeconds(60));
    }
}
