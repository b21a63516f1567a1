package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.fleetgrad.optim.Aggregation.Krum;
import org.fleetgrad.optim.Aggregation.Median;
import org.fleetgrad.optim.Aggregation.TrimmedMean;
import org.junit.jupiter.api.Test;

class AggregationTest {

    @Test
    void shouldTakeTheMedianOfEachValue() {
        assertThat(new Median().combine(gradients(new float[][] {{1, 9}, {-5, 7}, {2, 8}})))
                .containsExactly(1, 8);
        assertThat(new Median().combine(gradients(new float[][] {{1, 9}, {-5, 7}, {2, 8}, {100, 100}})))
                .as("between the two in the middle")
                .containsExactly(1.5f, 8.5f);
    }

    @Test
    void shouldLeaveOutTheSmallestAndTheLargestValues() {
        float[][] five = {{1}, {2}, {3}, {4}, {-1000}};

        assertThat(new TrimmedMean(1).combine(gradients(five))).containsExactly(2);
        assertThat(new TrimmedMean(2).combine(gradients(five))).containsExactly(2);
        assertThat(new TrimmedMean(9).combine(gradients(five)))
                .as("at least one is left")
                .containsExactly(2);
        assertThat(new TrimmedMean(1).combine(gradients(new float[][] {{1}, {4}})))
                .as("two have no middle to keep")
                .containsExactly(2.5f);
    }

    /** Five gradients of which one may be Byzantine: each score is the sum of the 5 - 1 - 2 smallest squares. */
    @Test
    void shouldChooseTheGradientThatIsNearestToTheOthers() {
        // Scores by hand: (0,0): 1 + 4 = 5; (1,0): 1 + 1 = 2; (2,0): 1 + 4 = 5; (1,3): 9 + 10 = 19; (50,50): far.
        float[][] five = {{0, 0}, {50, 50}, {2, 0}, {1, 0}, {1, 3}};

        assertThat(new Krum(1).combine(gradients(five))).containsExactly(1, 0);
    }

    @Test
    void shouldHoldAgainstFewerBadWorkersWhereAStepHasFewGradients() {
        assertThat(new Krum(5).combine(gradients(new float[][] {{0}, {1}, {90}})))
                .as("of equal scores the first")
                .containsExactly(0);
        assertThat(new Krum(5).combine(gradients(new float[][] {{0}, {1}})))
                .as("two have no majority")
                .containsExactly(0.5f);
    }

    @Test
    void shouldStayFiniteNextToTheLargestFloat() {
        float most = Float.MAX_VALUE;
        float[][] large = {{most}, {most}, {-most}, {most}};

        assertThat(new Median().combine(gradients(large))).containsExactly(most);
        assertThat(new TrimmedMean(1).combine(gradients(large))).containsExactly(most);
        assertThat(new Krum(1).combine(gradients(large))).containsExactly(most);
    }

    @Test
    void shouldWantAtLeastOneOutlier() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Krum(0))
                .withMessage("outliers must be 1 or more; it is 0");
        assertThatIllegalArgumentException().isThrownBy(() -> new TrimmedMean(-1));
    }

    private static List<float[]> gradients(float[][] values) {
        return List.of(values).stream().map(float[]::clone).toList();
    }
}
