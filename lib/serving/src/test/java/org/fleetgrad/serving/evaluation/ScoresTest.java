package org.fleetgrad.serving.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Optional;
import org.fleetgrad.datasets.table.TableTarget.NumberTarget;
import org.fleetgrad.networks.Question.Loss;
import org.fleetgrad.networks.Question.Regression;
import org.fleetgrad.networks.TableTask;
import org.fleetgrad.protocol.messages.NumberPairs;
import org.fleetgrad.protocol.messages.RegressionFigures;
import org.junit.jupiter.api.Test;

/** By hand, as scikit-learn's metrics: targets 1, 2, 3, 4 and predictions 1.5, 2, 2, 6. */
class ScoresTest {

    private static final float[] OUTPUTS = {1.5f, 2, 2, 6};

    private static Scores scores(Loss loss, double unit, float... targets) {
        Scores scores = Scores.of(
                new TableTask(1, List.of(), new Regression(loss)),
                1,
                new HeldOutTargets(targets.length, List.of(), Optional.of(new NumberTarget("price", 50, unit))));
        for (int i = 0; i < targets.length; i++) {
            scores.add(OUTPUTS, i, targets, i);
        }
        return scores;
    }

    @Test
    void shouldMeasureNumbersInTheUnitsOfTheTarget() {
        Scores scores = scores(Loss.SQUARED, 100, 1, 2, 3, 4);

        RegressionFigures figures = scores.regression().orElseThrow();
        assertThat(scores.meanLoss()).isEqualTo((0.25 + 0 + 1 + 4) / 4);
        assertThat(figures.rmse()).isCloseTo(100 * Math.sqrt(5.25 / 4), within(1e-9));
        assertThat(figures.mae()).isEqualTo(100 * 3.5 / 4);
        // The targets' squares about their mean of 2.5 sum up to 5.
        assertThat(figures.r2()).isCloseTo(1 - 5.25 / 5, within(1e-12));
        assertThat(scores.accuracy()).isEmpty();
        assertThat(scores.accuracyTop5()).isEmpty();
    }

    @Test
    void shouldHaveTheLossThatTheNetworkIsTrainedWith() {
        assertThat(scores(Loss.ABSOLUTE, 1, 1, 2, 3, 4).meanLoss()).isEqualTo(3.5 / 4);
        assertThat(scores(Loss.HUBER, 1, 1, 2, 3, 4).meanLoss()).isEqualTo((0.125 + 0 + 0.5 + 1.5) / 4);
    }

    @Test
    void shouldHaveNoR2WhereAllTargetsAreEqual() {
        assertThat(scores(Loss.SQUARED, 1, 2, 2, 2, 2)
                        .regression()
                        .orElseThrow()
                        .r2())
                .isNull();
    }

    @Test
    void shouldShowNumbersBesideTheirTargetsInUnits() {
        assertThat(scores(Loss.SQUARED, 100, 1, 2, 3, 4).details().numbers())
                .isEqualTo(new NumberPairs(
                        "price", List.of(150.0, 250.0, 350.0, 450.0), List.of(200.0, 250.0, 250.0, 650.0)));
    }

    @Test
    void shouldSpaceTheShownNumbersEvenlyOverAllSamples() {
        NumberTarget column = new NumberTarget("x", 0, 1);
        KeptPairs pairs = new KeptPairs(column, 2500);
        for (int i = 0; i < 2500; i++) {
            pairs.add(i, -i);
        }

        NumberPairs shown = pairs.details();
        assertThat(shown.truth())
                .hasSize(NumberPairs.MOST_PAIRS)
                .startsWith(0.0, 2.0, 5.0, 7.0)
                .endsWith(2497.0);
        assertThat(shown.predicted()).startsWith(0.0, -2.0, -5.0);
        KeptPairs few = new KeptPairs(column, 2);
        few.add(1, 2);
        few.add(3, 4);
        assertThat(few.details()).isEqualTo(new NumberPairs("x", List.of(1.0, 3.0), List.of(2.0, 4.0)));
    }
}
