package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.fleetgrad.optim.LearningRateSchedule.Constant;
import org.fleetgrad.optim.LearningRateSchedule.Cosine;
import org.fleetgrad.optim.LearningRateSchedule.LinearWarmup;
import org.fleetgrad.optim.LearningRateSchedule.Milestones;
import org.fleetgrad.optim.LearningRateSchedule.StepDecay;
import org.junit.jupiter.api.Test;

class LearningRateScheduleTest {

    @Test
    void shouldStayConstant() {
        assertThat(new Constant(0.1f).at(0)).isEqualTo(0.1f);
        assertThat(new Constant(0.1f).at(Long.MAX_VALUE)).isEqualTo(0.1f);
    }

    @Test
    void shouldDecayAfterEachStep() {
        StepDecay schedule = new StepDecay(0.8f, 10, 0.5f);
        assertThat(List.of(schedule.at(0), schedule.at(9), schedule.at(10), schedule.at(19), schedule.at(20)))
                .containsExactly(0.8f, 0.8f, 0.4f, 0.4f, 0.2f);
        assertThat(schedule.at(Long.MAX_VALUE)).isZero();
    }

    @Test
    void shouldStayAtMinimumAfterCosine() {
        Cosine schedule = new Cosine(0.3f, 100, 0.1f);
        assertThat(List.of(schedule.at(0), schedule.at(50), schedule.at(100), schedule.at(101), schedule.at(150)))
                .containsExactly(0.3f, 0.2f, 0.1f, 0.1f, 0.1f);
        assertThat(schedule.at(99)).isGreaterThan(0.1f);
    }

    @Test
    void shouldRiseInAStraightLineWhileOtherScheduleCountsFromTheSameBeginning() {
        LinearWarmup schedule = new LinearWarmup(100, new StepDecay(0.8f, 50, 0.5f));
        assertThat(List.of(0L, 50L, 99L, 100L, 149L, 150L).stream().map(schedule::at))
                .containsExactly(0.008f, 0.202f, 0.39604f, 0.2f, 0.2f, 0.1f);
    }

    @Test
    void shouldDecayFromEachMilestoneOn() {
        Milestones schedule = new Milestones(0.8f, List.of(10L, 30L), 0.5f);
        assertThat(List.of(0L, 9L, 10L, 29L, 30L, 1000L).stream().map(schedule::at))
                .containsExactly(0.8f, 0.8f, 0.4f, 0.4f, 0.2f, 0.2f);
    }

    /** The schedule is a function of the samples: how many samples a step has changes nothing. */
    @Test
    void shouldMeanTheSameWithStepsOfAnySize() {
        LinearWarmup schedule = new LinearWarmup(640, new Cosine(0.3f, 6400, 0.01f));
        for (long samples = 0; samples < 8000; samples += 256) {
            double full = 0.01 + 0.29 * (1 + Math.cos(Math.PI * Math.min(samples, 6400) / 6400.0)) / 2;
            double expected = full * Math.min(1, 0.01 + 0.99 * samples / 640.0);
            assertThat(schedule.at(samples)).as("%d samples", samples).isCloseTo((float) expected, within(1e-6f));
        }
    }

    @Test
    void shouldRefuseStepBeforeFirst() {
        Constant constant = new Constant(1);
        for (LearningRateSchedule schedule : List.of(
                constant,
                new StepDecay(1, 1, 1),
                new Cosine(1, 1, 0),
                new Milestones(1, List.of(1L), 1),
                new LinearWarmup(1, constant))) {
            assertRefused(() -> schedule.at(-1), "the number of samples must be 0 or more; it is -1");
        }
    }

    @Test
    void shouldRefuseSettingsOutOfRange() {
        assertRefused(() -> new Constant(-1), "the base learning rate must be 0 or more and finite; it is -1.0");
        assertRefused(
                () -> new StepDecay(Float.NaN, 1, 1), "the base learning rate must be 0 or more and finite; it is NaN");
        assertRefused(
                () -> new StepDecay(1, 0, 1), "the number of samples between two decays must be 1 or more; it is 0");
        assertRefused(() -> new StepDecay(1, 1, 0), "gamma must be more than 0 and finite; it is 0.0");
        assertRefused(() -> new Milestones(1, List.of(), 1), "a schedule of milestones needs one or more; there are 0");
        assertRefused(
                () -> new Milestones(1, List.of(2L, 2L), 1),
                "each milestone must be later than the one before, and above 0; they are [2, 2]");
        assertRefused(
                () -> new Milestones(1, List.of(0L), 1),
                "each milestone must be later than the one before, and above 0; they are [0]");
        assertRefused(() -> new Cosine(-1, 1, 0), "the base learning rate must be 0 or more and finite; it is -1.0");
        assertRefused(() -> new Cosine(1, 0, 0), "the number of samples until the minimum must be 1 or more; it is 0");
        assertRefused(() -> new Cosine(1, 1, -1), "the minimum learning rate must be 0 or more and finite; it is -1.0");
        assertRefused(
                () -> new Cosine(0.1f, 1, 0.2f),
                "the minimum learning rate must not be more than the base; they are 0.2 and 0.1");
        assertRefused(
                () -> new LinearWarmup(0, new Constant(1)), "the number of warm-up samples must be 1 or more; it is 0");
    }

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatIllegalArgumentException().isThrownBy(call).withMessage(message);
    }
}
