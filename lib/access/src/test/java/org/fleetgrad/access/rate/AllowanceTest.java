package org.fleetgrad.access.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AllowanceTest {

    /** Clocks of nanoseconds may overflow in the middle of a run. */
    private final AtomicLong time = new AtomicLong(Long.MAX_VALUE - 1_000);

    private final Allowance allowance = new Allowance(4, Duration.ofSeconds(2), time::get);

    @Test
    void shouldGiveAllTurnsAtOnceAndThenEachInItsTime() {
        assertThat(IntStream.range(0, 6).filter(i -> allowance.tryTake("a")).count())
                .isEqualTo(4);
        assertThat(allowance.untilTurn("a")).isEqualTo(Duration.ofMillis(500));

        pass(Duration.ofMillis(499));
        assertThat(allowance.tryTake("a")).isFalse();
        pass(Duration.ofMillis(1));
        assertThat(allowance.untilTurn("a")).isZero();
        assertThat(allowance.tryTake("a")).isTrue();
        assertThat(allowance.tryTake("a")).isFalse();
    }

    @Test
    void shouldGiveNoMoreTurnsForALongRest() {
        pass(Duration.ofDays(1000));

        assertThat(IntStream.range(0, 6).filter(i -> allowance.tryTake("a")).count())
                .isEqualTo(4);
    }

    @Test
    void shouldCountEachNameForItself() {
        IntStream.range(0, 4).forEach(i -> assertThat(allowance.tryTake("a")).isTrue());

        assertThat(allowance.tryTake("a")).isFalse();
        assertThat(allowance.tryTake("b")).isTrue();
    }

    @Test
    void shouldForgetThoseWhoseTurnsAreBackBeforeOthers() {
        for (int name = 0; name < Allowance.MOST_NAMES - 1; name++) {
            assertThat(allowance.tryTake("old" + name)).isTrue();
        }
        pass(Duration.ofSeconds(1));
        IntStream.range(0, 4).forEach(i -> assertThat(allowance.tryTake("a")).isTrue());

        assertThat(allowance.tryTake("new")).isTrue();

        assertThat(allowance.names()).isEqualTo(2);
        assertThat(allowance.tryTake("a")).as("it is remembered").isFalse();
    }

    @Test
    void shouldKeepABoundedNumberOfNames() {
        for (int name = 0; name < 3 * Allowance.MOST_NAMES; name++) {
            assertThat(allowance.tryTake("n" + name)).isTrue();
            assertThat(allowance.names()).isLessThanOrEqualTo(Allowance.MOST_NAMES);
        }
    }

    private void pass(Duration duration) {
        time.addAndGet(duration.toNanos());
    }
}
