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
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.parameters.InitialParameters;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.run.Lifecycle.Precondition;
import org.fleetgrad.ps.run.Lifecycle.PutOutcome;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.Test;

class FrozenTrainingTest {

    private static final TrainingSettings PLAIN = TrainingRun.plain(new TrainingMode.Async(1), 64);

    @Test
    void shouldNeitherStepNorDecayWhatIsFrozen() {
        TrainingSettings decaying = new TrainingSettings(
                new TrainingMode.Async(1),
                new SgdSettings(0, 0, false, 0.5f),
                new StalenessRule.None(),
                1,
                new LearningRateSchedule.Constant(0.5f),
                TrainingSettings.DecayScope.EVERYTHING,
                64,
                0);
        try (TrainingRun run = frozen(decaying).startingFrozen(4, 8).withWorkers("a")) {
            run.push(gradient(1, 0, TrainingRun.GENERATION), 2, 1);

            // The state moves by its momentum of a quarter; 8 - 0.5 (1 + 0.5 * 8).
            assertThat(run.values()).containsExactly(7, 8, 7, 8, 3.5f, 5.5f, 7, 8);
            assertThat(run.trainable()).containsExactly(3.5f, 5.5f);
        }
    }

    @Test
    void shouldMeasureTheNormOfTheTrainableValues() {
        TrainingSettings bounded = new TrainingSettings(
                PLAIN.mode(), PLAIN.optimizer(), PLAIN.rule(), PLAIN.history(), PLAIN.schedule(), PLAIN.decay(), 64, 5);
        try (TrainingRun run = frozen(bounded).startingFrozen(4, 1, 1).withWorkers("a")) {
            assertThat(run.push(gradient(1, 0, TrainingRun.GENERATION), 100, 3, 4))
                    .isInstanceOf(PushOutcome.Applied.class);
            assertThat(run.push(gradient(2, 1, TrainingRun.GENERATION), 100, 3, 5))
                    .isInstanceOf(PushOutcome.Refused.class);
        }
    }

    @Test
    void shouldBeginAGenerationWhenAnOverwriteChangesWhatIsFrozen() {
        try (TrainingRun run = frozen(PLAIN).startingFrozen(4, 1).withWorkers("a")) {
            assertThat(overwrite(run, TrainingRun.frozenSet(7, 5, 2)))
                    .isEqualTo(new PutOutcome.Accepted(new ParameterVersion("g1", 1), false));
            assertThat(overwrite(run, TrainingRun.frozenSet(-7, 5, 2)))
                    .isEqualTo(new PutOutcome.Accepted(new ParameterVersion("g2", 2), false));

            assertThat(run.values()).containsExactly(-7, 8, 7, 8, 5, 2, 7, 8);
            assertThat(run.push(gradient(1, 2, "g1"), 0, 1))
                    .isInstanceOfSatisfying(
                            PushOutcome.Refused.class,
                            refused -> assertThat(refused.reason()).isEqualTo(PushOutcome.Reason.OTHER_GENERATION));
            assertThat(run.push(gradient(2, 2, "g2"), 0, 1)).isInstanceOf(PushOutcome.Applied.class);
        }
    }

    @Test
    void shouldRefuseASetThatLacksWhatIsToBeFrozen() {
        try (TrainingRun run = frozen(PLAIN)) {
            TensorLayout other = TensorLayout.canonical(List.of(TensorSpec.f32("a", 1), TensorSpec.f32("w", 1)));
            PutOutcome outcome = TrainingRun.outcome(run.training()
                    .put(new InitialParameters(other, new float[2], Map.of()), Precondition.ABSENT)
                    .join());

            assertThat(outcome)
                    .isEqualTo(new PutOutcome.LayoutMismatch(
                            "a*,z*", "ps.freeze: 'z*' matches none of the 2 tensors: a, w"));
            assertThat(run.published().version()).isEmpty();
        }
    }

    private static PutOutcome overwrite(TrainingRun run, InitialParameters set) {
        return TrainingRun.outcome(run.training().put(set, Precondition.PRESENT).join());
    }

    private static TrainingRun frozen(TrainingSettings settings) {
        return new TrainingRun(
                TrainingRun.frozen(settings), new TrainingRun.Quiet(), TrainingStore.NONE, new ManualClock());
    }

    private static GradientMetadata gradient(long sequence, long base, String generation) {
        return new GradientMetadata("a", sequence, generation, base, 1, 1, Optional.empty(), OptionalLong.of(1));
    }
}
