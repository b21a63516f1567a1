package org.fleetgrad.benchmarks.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class FigureTest {

    private static final Figure FIGURE = new Figure("name", "what", "ms", 30, Against.limit(20, "the limit"));

    @Test
    void shouldTakeTheMiddleOfAnyNumberOfValues() {
        assertThat(Figure.median(3, 1, 2)).isEqualTo(2);
        assertThat(Figure.median(4, 1, 3, 2)).isEqualTo(2.5);
        assertThat(Figure.median(7)).isEqualTo(7);
    }

    @Test
    void shouldHoldOursAgainstTheOther() {
        assertThat(FIGURE.ratio()).isCloseTo(1.5, within(1e-12));
        assertThat(FIGURE.isGoalMet()).isEmpty();
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
