package org.fleetgrad.ps.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.Stream;
import org.fleetgrad.optim.Aggregation;
import org.fleetgrad.optim.LearningRateSchedule;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessRule;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.PushOutcome.Reason;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.settings.TrainingSettings.DecayScope;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Eight workers of which one is Byzantine. The loss is |w - target|^2 / 2, whose gradient each honest worker sees with
 * noise.
 */
class BadWorkerTest {

    private static final float[] TARGET = {3, -2, 1};
    private static final int WORKERS = 8;
    private static final int STEPS = 40;

    static Stream<Aggregation> rules() {
        return Stream.of(new Aggregation.Median(), new Aggregation.TrimmedMean(1), new Aggregation.Krum(1));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void shouldLearnBesideABadWorker(Aggregation rule) {
        assertThat(distanceAfterTraining(rule)).isLessThan(0.5);
    }

    @Test
    void shouldBeLedAstrayByTheMean() {
        assertThat(distanceAfterTraining(new Aggregation.Mean())).isGreaterThan(100);
    }

    @Test
    void shouldCountASampleNumberThatABadWorkerMadeUpForNothing() {
        TrainingMode mode = new TrainingMode.Sync(0, 0, new Aggregation.Median());
        try (TrainingRun run = new TrainingRun(mode).startingAt(0).withWorkers("a", "b", "bad")) {
            run.push(TrainingRun.metadata("a", 1, TrainingRun.GENERATION, 0, 1), 1);
            run.push(TrainingRun.metadata("bad", 1, TrainingRun.GENERATION, 0, 1_000_000_000), -64);
            run.push(TrainingRun.metadata("b", 1, TrainingRun.GENERATION, 0, 1), 2);

            assertThat(run.values()).containsExactly(-TrainingRun.LEARNING_RATE * 1);
        }
    }

    @Test
    void shouldRefuseAGradientThatIsTooLong() {
        TrainingSettings settings = bounded(new TrainingMode.Async(1));
        try (TrainingRun run = new TrainingRun(settings, new TrainingRun.Quiet(), TrainingStore.NONE, new ManualClock())
                .startingAt(0, 0)
                .withWorkers("a")) {
            assertThat(run.push("a", 1, 0, 3, 4.001f))
                    .isEqualTo(
                            new PushOutcome.Refused(
                                    Reason.GRADIENT_NORM,
                                    "the gradient of worker 'a' has the norm 5.001, the largest that is taken is 5.000 (ps.max-gradient-norm): compute it anew, or clip it"));
            assertThat(run.values()).containsExactly(0, 0);

            assertThat(run.push("a", 1, 0, 3, 4))
                    .as("the same number, just as long as is taken")
                    .isEqualTo(new PushOutcome.Applied(1, 0));
            assertThat(run.push("a", 1, 0, 300, 400))
                    .as("a repeated push is a duplicate, whatever it holds")
                    .isInstanceOf(PushOutcome.Duplicate.class);
        }
    }

    @Test
    void shouldNotWaitInAStepForAWorkerWhoseGradientIsTooLong() {
        TrainingSettings settings = bounded(new TrainingMode.Sync(0));
        try (TrainingRun run = new TrainingRun(settings, new TrainingRun.Quiet(), TrainingStore.NONE, new ManualClock())
                .startingAt(0, 0)
                .withWorkers("a", "bad")) {
            run.push("a", 1, 0, 2, 2);
            assertThat(run.push("bad", 1, 0, 30, 40)).isInstanceOf(PushOutcome.Refused.class);

            assertThat(run.version()).isEqualTo(1);
            assertThat(run.values()).containsExactly(-1, -1);
        }
    }

    private static TrainingSettings bounded(TrainingMode mode) {
        return new TrainingSettings(
                mode,
                new SgdSettings(0, 0, false, 0),
                new StalenessRule.None(),
                1,
                new LearningRateSchedule.Constant(TrainingRun.LEARNING_RATE),
                DecayScope.EVERYTHING,
                64,
                5);
    }

    private static double distanceAfterTraining(Aggregation rule) {
        Random random = new Random(7);
        try (TrainingRun run = new TrainingRun(new TrainingMode.Sync(0, 0, rule)).startingAt(0, 0, 0)) {
            for (int worker = 0; worker < WORKERS; worker++) {
                run.withWorkers("w" + worker);
            }
            for (int step = 0; step < STEPS; step++) {
                float[] now = run.values();
                for (int worker = 0; worker < WORKERS; worker++) {
                    float[] gradient = new float[TARGET.length];
                    for (int i = 0; i < gradient.length; i++) {
                        gradient[i] = worker == 0
                                ? 1000 * (float) random.nextGaussian()
                                : now[i] - TARGET[i] + 0.1f * (float) random.nextGaussian();
                    }
                    run.push("w" + worker, step + 1, step, gradient);
                }
            }
            float[] last = run.values();
            double square = 0;
            for (int i = 0; i < TARGET.length; i++) {
                square += Math.pow(last[i] - TARGET[i], 2);
            }
            return Math.sqrt(square);
        }
    }
}
