package org.fleetgrad.benchmarks.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class FigureTest {

    private static final Figure FIGURE =
            Figure.of("name", "what").ours(30, "ms").limit(20, "the limit");

    @Test
    void shouldHoldOursAgainstTheOther() {
        assertThat(FIGURE.ratio().median()).isCloseTo(1.5, within(1e-12));
        assertThat(FIGURE.isGoalMet()).isEmpty();
    }

    @Test
    void shouldCompareRoundsAndJudgeTheirMedian() {
        Figure noisy =
                Figure.of("name", "what").ours(Values.of(10, 60, 24), "ms").limit(Values.of(10, 20, 20), "the limit");

        assertThat(noisy.ratio()).isEqualTo(Values.of(1, 3, 1.2));
        assertThat(noisy.ratioAtMost(1.2).isGoalMet()).contains(true);
        assertThat(noisy.ratioAtMost(1.1).isGoalMet()).contains(false);
        assertThat(noisy.atMost(24).isGoalMet()).contains(true);
    }

    @Test
    void shouldTellWhetherAGoalOfOursOrOfTheRatioIsMet() {
        assertThat(FIGURE.atLeast(30).isGoalMet()).contains(true);
        assertThat(FIGURE.atLeast(30.1).isGoalMet()).contains(false);
        assertThat(FIGURE.atMost(30).isGoalMet()).contains(true);
        assertThat(FIGURE.atMost(29.9).isGoalMet()).contains(false);
        assertThat(FIGURE.ratioAtLeast(1.6).isGoalMet()).contains(false);
        assertThat(FIGURE.ratioAtMost(1.5).isGoalMet()).contains(true);
    }
}
