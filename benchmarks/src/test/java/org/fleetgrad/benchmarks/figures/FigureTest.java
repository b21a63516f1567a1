package org.fleetgrad.benchmarks.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class FigureTest {

    private static final Figure FIGURE = new Figure("name", "what", "ms", 30, Against.limit(20, "the limit"));

    @Test
    void shouldHoldOursAgainstTheOther() {
        assertThat(FIGURE.ratio().median()).isCloseTo(1.5, within(1e-12));
        assertThat(FIGURE.isGoalMet()).isEmpty();
    }

    @Test
    void shouldCompareRoundsAndJudgeTheirMedian() {
        Figure noisy = new Figure(
                "name", "what", "ms", Values.of(10, 60, 24), Against.limit(Values.of(10, 20, 20), "the limit"));

        assertThat(noisy.ratio()).isEqualTo(Values.of(1, 3, 1.2));
        assertThat(noisy.withGoal(Goal.ratioAtMost(1.2)).isGoalMet()).contains(true);
        assertThat(noisy.withGoal(Goal.ratioAtMost(1.1)).isGoalMet()).contains(false);
        assertThat(noisy.withGoal(Goal.atMost(24)).isGoalMet()).contains(true);
    }

    @Test
    void shouldTellWhetherAGoalOfOursOrOfTheRatioIsMet() {
        assertThat(FIGURE.withGoal(Goal.atLeast(30)).isGoalMet()).contains(true);
        assertThat(FIGURE.withGoal(Goal.atLeast(30.1)).isGoalMet()).contains(false);
        assertThat(FIGURE.withGoal(Goal.atMost(30)).isGoalMet()).contains(true);
        assertThat(FIGURE.withGoal(Goal.atMost(29.9)).isGoalMet()).contains(false);
        assertThat(FIGURE.withGoal(Goal.ratioAtLeast(1.6)).isGoalMet()).contains(false);
        assertThat(FIGURE.withGoal(Goal.ratioAtMost(1.5)).isGoalMet()).contains(true);
    }
}
