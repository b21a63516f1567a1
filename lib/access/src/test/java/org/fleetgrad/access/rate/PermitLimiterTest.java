package org.fleetgrad.access.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PermitLimiterTest {

    /** Clocks of nanoseconds may overflow in the middle of a run. */
    private final AtomicLong time = new AtomicLong(Long.MAX_VALUE - 1_000);

    private final PermitLimiter limiter = new PermitLimiter(4, Duration.ofSeconds(2), time::get);

    @Test
    void shouldGiveAllTurnsAtOnceAndThenEachInItsTime() {
        assertThat(IntStream.range(0, 6).filter(i -> limiter.tryAcquire("a")).count())
                .isEqualTo(4);
        assertThat(limiter.timeUntilPermit("a")).isEqualTo(Duration.ofMillis(500));

        pass(Duration.ofMillis(499));
        assertThat(limiter.tryAcquire("a")).isFalse();
        pass(Duration.ofMillis(1));
        assertThat(limiter.timeUntilPermit("a")).isZero();
        assertThat(limiter.tryAcquire("a")).isTrue();
        assertThat(limiter.tryAcquire("a")).isFalse();
    }

    @Test
    void shouldGiveNoMoreTurnsForALongRest() {
        pass(Duration.ofDays(1000));

        assertThat(IntStream.range(0, 6).filter(i -> limiter.tryAcquire("a")).count())
                .isEqualTo(4);
    }

    @Test
    void shouldCountEachNameForItself() {
        IntStream.range(0, 4).forEach(i -> assertThat(limiter.tryAcquire("a")).isTrue());

        assertThat(limiter.tryAcquire("a")).isFalse();
        assertThat(limiter.tryAcquire("b")).isTrue();
    }

    @Test
    void shouldForgetThoseWhoseTurnsAreBackBeforeOthers() {
        for (int name = 0; name < PermitLimiter.MAX_NAMES - 1; name++) {
            assertThat(limiter.tryAcquire("old" + name)).isTrue();
        }
        pass(Duration.ofSeconds(1));
        IntStream.range(0, 4).forEach(i -> assertThat(limiter.tryAcquire("a")).isTrue());

        assertThat(limiter.tryAcquire("new")).isTrue();

        assertThat(limiter.names()).isEqualTo(2);
        assertThat(limiter.tryAcquire("a")).as("it is remembered").isFalse();
    }

    @Test
    void shouldKeepABoundedNumberOfNames() {
        for (int name = 0; name < 3 * PermitLimiter.MAX_NAMES; name++) {
            assertThat(limiter.tryAcquire("n" + name)).isTrue();
            assertThat(limiter.names()).isLessThanOrEqualTo(PermitLimiter.MAX_NAMES);
        }
    }

    private void pass(Duration duration) {
        time.addAndGet(duration.toNanos());
    }
}
