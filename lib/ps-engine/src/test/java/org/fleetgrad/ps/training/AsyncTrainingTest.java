package org.fleetgrad.ps.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.PushOutcome.Applied;
import org.fleetgrad.ps.outcome.PushOutcome.Buffered;
import org.fleetgrad.ps.parameters.ValueCount;
import org.fleetgrad.ps.progress.TrainingStatistics;
import org.fleetgrad.ps.run.TrainingListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AsyncTrainingTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void shouldMoveByTheSumOfAllStepsExactly(int gradientsPerStep) {
        int steps = 7;
        try (TrainingRun run = new TrainingRun(new TrainingMode.Async(gradientsPerStep))
                .startingAt(100, -100)
                .withWorkers("a")) {
            for (int push = 1; push <= steps * gradientsPerStep; push++) {
                run.push("a", push, run.version(), 2, -4);
            }

            assertThat(run.version()).isEqualTo(steps);
            assertThat(run.values()).containsExactly(100 - 2 * 0.5f * steps, -100 + 4 * 0.5f * steps);
        }
    }

    @Test
    void shouldBufferUntilTheStepAndApplyTheMean() {
        try (TrainingRun run =
                new TrainingRun(new TrainingMode.Async(3)).startingAt(10).withWorkers("a", "b")) {
            assertThat(run.push("a", 1, 0, 6)).isEqualTo(new Buffered(0));
            assertThat(run.push("b", 1, 0, 9)).isEqualTo(new Buffered(0));
            assertThat(run.training().statistics().buffered()).isEqualTo(2);
            assertThat(run.values()).containsExactly(10);

            assertThat(run.push("a", 2, 0, 3)).isEqualTo(new Applied(1, 0));

            assertThat(run.values()).containsExactly(10 - 0.5f * 6);
            assertThat(run.training().statistics().buffered()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void shouldKnowTheStalenessOfWorkersThatTakeTurns(int workers) {
        try (TrainingRun run = new TrainingRun(new TrainingMode.Async(1)).startingAt(0)) {
            long[] base = new long[workers];
            for (int worker = 0; worker < workers; worker++) {
                run.withWorkers("w" + worker);
            }
            for (int round = 0; round < 4; round++) {
                for (int worker = 0; worker < workers; worker++) {
                    // All begin at version 0; from then on each has seen everything but the other workers' steps of
                    // this round.
                    long expected = round == 0 ? worker : workers - 1;
                    PushOutcome outcome = run.push("w" + worker, round + 1, base[worker], 1);
                    base[worker] = run.version();
                    assertThat(outcome).isEqualTo(new Applied(base[worker], expected));
                }
            }

            TrainingStatistics.State counts = run.training().statistics().state();
            assertThat(counts.worstStaleness()).isEqualTo(workers - 1);
            double sum = workers * (workers - 1) / 2.0 + 3.0 * workers * (workers - 1);
            assertThat(counts.meanStaleness()).isEqualTo(sum / (4.0 * workers));
        }
    }

    @Test
    void shouldTellTheListenerOfEachStepAndItsOldestGradient() {
        List<String> heard = new ArrayList<>();
        TrainingListener listener = new TrainingRun.Quiet() {
            @Override
            public void parametersPut(ParameterVersion version, int tensors, ValueCount values) {
                heard.add("put %s: %d tensors, %d values".formatted(version, tensors, values.all()));
            }

            @Override
            public void pushed(PushOutcome outcome) {
                heard.add(outcome.label());
            }

            @Override
            public void stepped(ParameterVersion version, int gradients, long staleness) {
                heard.add("step %s of %d, oldest %d".formatted(version, gradients, staleness));
            }
        };
        try (TrainingRun run = new TrainingRun(new TrainingMode.Async(2), 64, listener)
                .startingAt(1, 2, 3)
                .withWorkers("a")) {
            for (int push = 1; push <= 4; push++) {
                run.push("a", push, 0, 1, 1, 1);
            }
        }

        assertThat(heard)
                .containsExactly(
                        "put g1-0: 1 tensors, 3 values",
                        "buffered",
                        "step g1-1 of 2, oldest 0",
                        "applied",
                        "buffered",
                        "step g1-2 of 2, oldest 1",
                        "applied");
    }

    @Test
    void shouldNotLoseAnUnfinishedStepWhenTheLastWorkerIsGone() {
        try (TrainingRun run =
                new TrainingRun(new TrainingMode.Async(4)).startingAt(0).withWorkers("a", "b")) {
            run.push("a", 1, 0, 2);
            run.push("b", 1, 0, 4);

            run.unregister("a");
            assertThat(run.version()).as("the other may fill the step").isZero();
            run.advance(TrainingRun.LEASE);

            assertThat(run.version()).isEqualTo(1);
            assertThat(run.values()).containsExactly(-0.5f * 3);
        }
    }

    @Test
    void shouldCountSamplesAndWorkersAndSmoothTheLoss() {
        try (TrainingRun run =
                new TrainingRun(new TrainingMode.Async(1)).startingAt(0).withWorkers("a", "b")) {
            assertThat(run.training().statistics().state().loss()).isEmpty();
            run.push(TrainingRun.metadata("a", 1, "g1", 0, 32), 1);
            run.push(TrainingRun.metadata("a", 2, "g1", 1, 32), 1);
            run.push(TrainingRun.metadata("b", 1, "g1", 2, 8), 1);
            run.push(TrainingRun.metadata("b", 1, "g1", 2, 8), 1);

            TrainingStatistics.State counts = run.training().statistics().state();
            assertThat(counts.samples()).isEqualTo(72);
            assertThat(counts.loss()).contains(1.5);
            assertThat(counts.pushes()).containsOnly(entry("applied", 3), entry("duplicate", 1));
            assertThat(counts.takenByWorker()).containsOnly(entry("a", 2), entry("b", 1));
        }
    }

    @Test
    void shouldRefuseSettingsThatMakeNoStep() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TrainingMode.Async(0))
                .withMessage("gradients must be 1 or more; it is 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TrainingMode.Sync(-1))
                .withMessage("workers must be 0 or more; it is -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TrainingRun(new TrainingMode.Async(1), 0, new TrainingRun.Quiet()))
                .withMessage("queueCapacity must be 1 or more; it is 0");
    }

    private static Map.Entry<String, Long> entry(String key, long value) {
        return Map.entry(key, value);
    }
}
