package org.fleetgrad.benchmarks.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.fleetgrad.benchmarks.training.WorkerAnswers;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.junit.jupiter.api.Test;

class GapExperimentTest {

    private static final ImageSamples TRAIN = SyntheticDigits.generate(64, 1);
    private static final ImageSamples TEST = SyntheticDigits.generate(50, 2);
    private static final GapExperiment.Plan PLAN =
            new GapExperiment.Plan(8 * 32, List.of(1, 2), List.of(0, 1, 2), 2, 50);

    private static List<GapExperiment.Figure> measure(long seed) {
        return new GapExperiment(TRAIN, TEST, PLAN, seed).measure(progress -> {});
    }

    @Test
    void shouldMeasureEachIntervalAndGapAlikeForOneSeed() {
        List<GapExperiment.Figure> figures = measure(3);

        assertThat(figures).hasSize(6).isEqualTo(measure(3));
        assertThat(figures).filteredOn(figure -> figure.gap() == 0).hasSize(2).allMatch(figure -> figure.most() == 0);
        assertThat(figures).extracting(GapExperiment.Figure::samplesApart).containsExactly(0L, 32L, 64L, 0L, 64L, 128L);
        assertThat(figures).anyMatch(figure -> figure.mean() > 0);
    }

    @Test
    void shouldFailIfEqualVersionsAnswerDifferently() {
        WorkerAnswers one = new WorkerAnswers(new float[] {1, 0}, 2);
        WorkerAnswers other = new WorkerAnswers(new float[] {Math.nextUp(1f), 0}, 2);

        GapExperiment.requireSame(5, one, new WorkerAnswers(one.logits().clone(), 2));
        assertThatThrownBy(() -> GapExperiment.requireSame(5, one, other))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("version 5");
    }
}
