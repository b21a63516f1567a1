package org.fleetgrad.worker.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalLong;
import org.fleetgrad.testing.ManualClock;
import org.fleetgrad.worker.training.TimeBudget.Operation;
import org.junit.jupiter.api.Test;

class TimeBudgetTest {

    private final ManualClock clock = new ManualClock();
    private final TimeBudget budget = new TimeBudget(clock);

    private OptionalLong in(long millis) {
        return OptionalLong.of(clock.millis() + millis);
    }

    @Test
    void shouldAlwaysHaveTimeWithoutADeadline() {
        clock.advance(Duration.ofDays(10_000));

        assertThat(budget.hasTimeForAStep(OptionalLong.empty())).isTrue();
        assertThat(budget.hasTimeForAShard(OptionalLong.empty())).isTrue();
    }

    @Test
    void shouldBeCarefulBeforeItHasSeenAnything() {
        assertThat(budget.hasTimeForAStep(in(3_000))).isTrue();
        assertThat(budget.hasTimeForAStep(in(2_999))).isFalse();
        assertThat(budget.hasTimeForAShard(in(4_000))).isTrue();
        assertThat(budget.hasTimeForAShard(in(3_999))).isFalse();
    }

    @Test
    void shouldLearnHowLongThingsTakeHere() {
        budget.took(Operation.STEP, 3);
        budget.took(Operation.PUSH, 2);
        budget.took(Operation.FETCH, 100);

        assertThat(budget.hasTimeForAStep(in(1_010))).isTrue();
        assertThat(budget.hasTimeForAStep(in(1_009))).isFalse();
        assertThat(budget.hasTimeForAShard(in(1_210))).isTrue();
        assertThat(budget.hasTimeForAShard(in(1_209))).isFalse();
    }

    @Test
    void shouldRememberASlowOneForSomeTime() {
        budget.took(Operation.PUSH, 1);
        budget.took(Operation.STEP, 1_000);
        budget.took(Operation.STEP, 1);
        assertThat(budget.hasTimeForAStep(in(2_500))).isFalse();

        for (int step = 0; step < 100; step++) {
            budget.took(Operation.STEP, 1);
        }
        assertThat(budget.hasTimeForAStep(in(1_020))).isTrue();
    }

    @Test
    void shouldHaveNoTimeOnceTheDeadlineIsBehind() {
        budget.took(Operation.STEP, 0.1);
        budget.took(Operation.PUSH, 0.1);
        OptionalLong deadline = in(60_000);

        clock.advance(Duration.ofMillis(58_990));
        assertThat(budget.hasTimeForAStep(deadline)).isTrue();
        clock.advance(Duration.ofMillis(20));
        assertThat(budget.hasTimeForAStep(deadline)).isFalse();
    }
}
