package org.fleetgrad.worker.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalLong;
import org.fleetgrad.testing.ManualClock;
import org.fleetgrad.worker.training.TimeBudget.Operation;
import org.junit.jupiter.api.Test;

class TimeBudgetTest {

    private final ManualClock clock = new ManualClock();
    private final TimeBudget pace = new TimeBudget(clock);

    private OptionalLong in(long millis) {
        return OptionalLong.of(clock.millis() + millis);
    }

    @Test
    void shouldAlwaysHaveTimeWithoutADeadline() {
        clock.advance(Duration.ofDays(10_000));

        assertThat(pace.hasTimeForAStep(OptionalLong.empty())).isTrue();
        assertThat(pace.hasTimeForAShard(OptionalLong.empty())).isTrue();
    }

    @Test
    void shouldBeCarefulBeforeItHasSeenAnything() {
        assertThat(pace.hasTimeForAStep(in(3_000))).isTrue();
        assertThat(pace.hasTimeForAStep(in(2_999))).isFalse();
        assertThat(pace.hasTimeForAShard(in(4_000))).isTrue();
        assertThat(pace.hasTimeForAShard(in(3_999))).isFalse();
    }

    @Test
    void shouldLearnHowLongThingsTakeHere() {
        pace.took(Operation.STEP, 3);
        pace.took(Operation.PUSH, 2);
        pace.took(Operation.FETCH, 100);

        assertThat(pace.hasTimeForAStep(in(1_010))).isTrue();
        assertThat(pace.hasTimeForAStep(in(1_009))).isFalse();
        assertThat(pace.hasTimeForAShard(in(1_210))).isTrue();
        assertThat(pace.hasTimeForAShard(in(1_209))).isFalse();
    }

    @Test
    void shouldRememberASlowOneForSomeTime() {
        pace.took(Operation.PUSH, 1);
        pace.took(Operation.STEP, 1_000);
        pace.took(Operation.STEP, 1);
        assertThat(pace.hasTimeForAStep(in(2_500))).isFalse();

        for (int step = 0; step < 100; step++) {
            pace.took(Operation.STEP, 1);
        }
        assertThat(pace.hasTimeForAStep(in(1_020))).isTrue();
    }

    @Test
    void shouldHaveNoTimeOnceTheDeadlineIsBehind() {
        pace.took(Operation.STEP, 0.1);
        pace.took(Operation.PUSH, 0.1);
        OptionalLong deadline = in(60_000);

        clock.advance(Duration.ofMillis(58_990));
        assertThat(pace.hasTimeForAStep(deadline)).isTrue();
        clock.advance(Duration.ofMillis(20));
        assertThat(pace.hasTimeForAStep(deadline)).isFalse();
    }
}
