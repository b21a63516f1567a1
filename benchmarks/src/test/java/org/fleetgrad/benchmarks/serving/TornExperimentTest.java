package org.fleetgrad.benchmarks.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.junit.jupiter.api.Test;

class TornExperimentTest {

    @Test
    void shouldCompareEveryAnswerWhileItTrains() throws Exception {
        TornExperiment.Plan plan = new TornExperiment.Plan(List.of("lenet5"), List.of(2), 0.001);

        List<TornExperiment.Figure> figures = new TornExperiment(
                        SyntheticDigits.generate(64, 1), SyntheticDigits.generate(20, 2), plan, 1)
                .measure(progress -> {});

        assertThat(figures).hasSize(1);
        TornExperiment.Figure figure = figures.get(0);
        assertThat(figure.answers()).isPositive();
        assertThat(figure.torn()).isLessThanOrEqualTo(figure.overlapped());
        assertThat(figure.overlapped()).isLessThanOrEqualTo(figure.answers());
        assertThat(figure.stepsPerSecond()).isPositive();
    }
}
