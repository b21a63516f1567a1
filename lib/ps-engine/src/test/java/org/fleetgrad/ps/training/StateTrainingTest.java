package org.fleetgrad.ps.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.fleetgrad.optim.LearningRateSchedule;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.ps.parameters.InitialParameters;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.run.Lifecycle.Precondition;
import org.fleetgrad.ps.run.Lifecycle.PutOutcome;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.Test;

/** A network with state: its first value is a running statistic. */
class StateTrainingTest {

    @Test
    void shouldMoveTheStateOncePerGradientWhenAsynchronous() {
        try (TrainingRun run = new TrainingRun(new TrainingMode.Async(1))
                .startingWithState(8, 1)
                .withWorkers("a", "b")) {
            run.push(over("a", 1, 0, 1, 1), 4, 1);
            assertThat(run.values()).containsExactly(0.75f * 8 + 0.25f * 4, 0.5f);
            // Stale, and over two batches: 1 - 0.75^2 = 0.4375.
            run.push(over("b", 1, 0, 2, 2), 3, 1);
            assertThat(run.values()).containsExactly(0.5625f * 7 + 0.4375f * 3, 0);
        }
    }

    @Test
    void shouldMoveTheStateByTheMeanWeightedBySamplesWhenSynchronous() {
        try (TrainingRun run = new TrainingRun(new TrainingMode.Sync(0))
                .startingWithState(8, 1)
                .withWorkers("a", "b", "c", "d")) {
            run.push(over("a", 1, 0, 1, 1), 16, 0);
            run.push(over("b", 1, 0, 2, 1), 8, 0);
            run.push(over("c", 1, 0, 1, 1), 4, 0);
            run.push(over("d", 1, 0, 4, 1), 4, 0);
            float mean = (16 + 2 * 8 + 4 + 4 * 4) / 8f;
            assertThat(run.values()).containsExactly(0.75f * 8 + 0.25f * mean, 1);
        }
    }

    @Test
    void shouldNeitherDecayNorDampTheStateNorGiveItMomentum() {
        TrainingSettings settings = new TrainingSettings(
                new TrainingMode.Async(1),
                new SgdSettings(0.9f, 0, false, 0.5f),
                new StalenessRule.Damped(),
                1,
                new LearningRateSchedule.Constant(0.5f),
                TrainingSettings.DecayScope.EVERYTHING,
                64,
                0);
        try (TrainingRun run = new TrainingRun(settings, new TrainingRun.Quiet(), TrainingStore.NONE, new ManualClock())
                .startingWithState(8, 1)
                .withWorkers("a", "b")) {
            float state = 8;
            for (int step = 0; step < 5; step++) {
                run.push(over("a", step + 1, step, 1, 1), 4, 1);
                state = 0.75f * state + 0.25f * 4;
                assertThat(run.values()[0]).isEqualTo(state);
            }
            run.push(over("b", 1, 3, 1, 1), 12, 1);
            assertThat(run.values()[0]).isEqualTo(0.75f * state + 0.25f * 12);
        }
    }

    @Test
    void shouldRefuseASetWhoseStateIsAnother() {
        try (TrainingRun run = new TrainingRun(new TrainingMode.Async(1)).startingWithState(8, 1)) {
            TensorLayout layout = TensorLayout.canonical(List.of(TensorSpec.f32("s", 1), TensorSpec.f32("w", 1)));
            Map<String, String> other = Map.of(
                    ParameterState.KEY, ParameterState.of(List.of("s"), 0.5f).text());
            PutOutcome outcome = TrainingRun.outcome(run.training()
                    .put(new InitialParameters(layout, new float[2], other), Precondition.PRESENT)
                    .join());
            assertThat(outcome)
                    .isEqualTo(new PutOutcome.LayoutMismatch(
                            "s", "tensor 's' is state with momentum 0.5, the parameter set has 0.25"));
        }
    }

    private static GradientMetadata over(String worker, long sequence, long base, long samples, long batches) {
        return new GradientMetadata(
                worker, sequence, TrainingRun.GENERATION, base, samples, 1, Optional.empty(), OptionalLong.of(batches));
    }
}
