package org.fleetgrad.ps.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.partition.PartitionLabel;
import org.fleetgrad.protocol.tensor.FreezePatterns;
import org.fleetgrad.protocol.tensor.RatePatterns;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.ps.parameters.InitialParameters;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.run.Lifecycle.Precondition;
import org.fleetgrad.ps.run.Lifecycle.PutOutcome;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.Test;

class RateForTest {

    private static final TensorLayout LAYOUT = TensorLayout.canonical(
            List.of(TensorSpec.f32("body", 2), TensorSpec.f32("fc.bias", 1), TensorSpec.f32("fc.weight", 2)));

    @Test
    void shouldStepEachTensorWithItsRate() {
        try (TrainingRun run =
                run("fc.bias=4,fc.*=2", LAYOUT, Map.of(), 1, 2, 3, 4, 5).withWorkers("a")) {
            run.push("a", 1, 0, 1, 1, 1, 1, 1);

            // The learning rate is a half.
            assertThat(run.values()).containsExactly(0.5f, 1.5f, 1, 3, 4);
        }
    }

    @Test
    void shouldFindThePiecesOfAPartition() {
        TensorLayout piece =
                TensorLayout.canonical(List.of(TensorSpec.f32("fc.bias", 1), TensorSpec.f32("fc.weight[0:1]", 1)));
        Map<String, String> label = new PartitionLabel(1, 3, "origin", LAYOUT).toMap();
        try (TrainingRun run = run("fc.weight=4,body=8", piece, label, 3, 4).withWorkers("a")) {
            run.push("a", 1, 0, 1, 1);

            assertThat(run.values()).containsExactly(2.5f, 2);
        }
    }

    @Test
    void shouldRefuseASetWithoutTheTensor() {
        try (TrainingRun run =
                new TrainingRun(settings("head=2"), new TrainingRun.Quiet(), TrainingStore.NONE, new ManualClock())) {
            PutOutcome outcome = TrainingRun.outcome(run.training()
                    .put(new InitialParameters(LAYOUT, new float[5], Map.of()), Precondition.ABSENT)
                    .join());

            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            PutOutcome.LayoutMismatch.class,
                            mismatch -> assertThat(mismatch.detail())
                                    .isEqualTo(
                                            "ps.rate-for: 'head' matches none of the 3 tensors: body, fc.bias, fc.weight"));
        }
    }

    @Test
    void shouldRefuseAFactorOutOfRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings("fc.*=1e9"))
                .withMessage("a factor of the learning rate is from 1.0E-6 to 1000000.0; it is 1.0E9");
    }

    private static TrainingRun run(String rates, TensorLayout layout, Map<String, String> metadata, float... values) {
        TrainingRun run =
                new TrainingRun(settings(rates), new TrainingRun.Quiet(), TrainingStore.NONE, new ManualClock());
        PutOutcome outcome = TrainingRun.outcome(run.training()
                .put(new InitialParameters(layout, values, metadata), Precondition.ABSENT)
                .join());
        assertThat(outcome).isInstanceOf(PutOutcome.Accepted.class);
        return run;
    }

    private static TrainingSettings settings(String rates) {
        TrainingSettings plain = TrainingRun.plain(new TrainingMode.Async(1), 64);
        return new TrainingSettings(
                plain.mode(),
                plain.optimizer(),
                plain.rule(),
                plain.history(),
                plain.schedule(),
                plain.decay(),
                64,
                0,
                FreezePatterns.NONE,
                RatePatterns.parse(rates));
    }
}
