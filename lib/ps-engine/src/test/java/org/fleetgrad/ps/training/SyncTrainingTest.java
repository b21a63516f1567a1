package org.fleetgrad.ps.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.PushOutcome.Applied;
import org.fleetgrad.ps.outcome.PushOutcome.Buffered;
import org.fleetgrad.ps.outcome.PushOutcome.Reason;
import org.fleetgrad.ps.outcome.PushOutcome.Refused;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SyncTrainingTest {

    private static final Duration ALMOST_A_LEASE = TrainingRun.LEASE.minusMillis(1);

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldTrainAsOneWorkerWouldWithAllBatchesAsOne(int workers) {
        int features = 6;
        Random random = new Random(workers);
        float[] start = floats(random, features);
        double[] expected = doubles(start);
        try (TrainingRun run = new TrainingRun(new TrainingMode.Sync(0)).startingAt(start)) {
            for (int worker = 0; worker < workers; worker++) {
                run.withWorkers("w" + worker);
            }
            for (int round = 1; round <= 20; round++) {
                double[] large = new double[features];
                long samples = 0;
                float[] now = run.values();
                for (int worker = 0; worker < workers; worker++) {
                    int batch = 1 + random.nextInt(9);
                    double[] sum = new double[features];
                    for (int sample = 0; sample < batch; sample++) {
                        float[] x = floats(random, features);
                        float y = (float) random.nextGaussian();
                        addGradient(sum, doubles(now), x, y);
                        addGradient(large, expected, x, y);
                    }
                    samples += batch;
                    run.push(
                            TrainingRun.metadata("w" + worker, round, TrainingRun.GENERATION, round - 1, batch),
                            mean(sum, batch));
                }
                for (int i = 0; i < features; i++) {
                    expected[i] -= TrainingRun.LEARNING_RATE * large[i] / (double) samples;
                }
            }

            assertThat(run.version()).isEqualTo(20);
            float[] actual = run.values();
            for (int i = 0; i < features; i++) {
                assertThat((double) actual[i]).isCloseTo(expected[i], within(1e-5 * (1 + Math.abs(expected[i]))));
            }
        }
    }

    @Test
    void shouldStepOnceEveryLiveWorkerHasPushed() {
        try (TrainingRun run = sync(0, "a", "b", "c")) {
            assertThat(run.push("a", 1, 0, 3)).isEqualTo(new Buffered(0));
            assertThat(run.push("c", 1, 0, 6)).isEqualTo(new Buffered(0));
            assertThat(run.push("b", 1, 0, 9)).isEqualTo(new Applied(1, 0));
            assertThat(run.values()).containsExactly(-0.5f * 6);
        }
    }

    @Test
    void shouldStepWithTheFirstWorkersIfFewerThanAllAreWanted() {
        try (TrainingRun run = sync(2, "a", "b", "c")) {
            run.push("a", 1, 0, 2);
            assertThat(run.push("b", 1, 0, 4)).isEqualTo(new Applied(1, 0));

            PushOutcome late = run.push("c", 1, 0, 1000);

            assertThat(late)
                    .isEqualTo(new Refused(
                            Reason.STALE_GRADIENT,
                            "the gradient's base version is 0, synchronous training takes 1 only: pull and go on"));
            assertThat(run.values()).containsExactly(-0.5f * 3);
        }
    }

    @Test
    void shouldRefuseASecondGradientForTheSameVersion() {
        try (TrainingRun run = sync(0, "a", "b")) {
            run.push("a", 1, 0, 2);

            assertThat(run.push("a", 2, 0, 1000))
                    .isEqualTo(new Refused(
                            Reason.STALE_GRADIENT, "worker 'a' has already pushed for version 0: wait for the next"));

            run.push("b", 1, 0, 4);
            assertThat(run.values()).containsExactly(-0.5f * 3);
        }
    }

    @Test
    void shouldStepWhenTheOneAwaitedUnregisters() {
        try (TrainingRun run = sync(0, "a", "b")) {
            run.push("a", 1, 0, 4);

            run.unregister("b");

            assertThat(run.version()).isEqualTo(1);
            assertThat(run.values()).containsExactly(-2);
        }
    }

    @Test
    void shouldStepWhenTheLeaseOfTheOneAwaitedRunsOut() {
        try (TrainingRun run = sync(0, "a", "b")) {
            run.advance(Duration.ofSeconds(20));
            run.leases().renew("a");
            run.push("a", 1, 0, 4);

            run.advance(Duration.ofSeconds(10).minusMillis(1));
            assertThat(run.version()).as("a millisecond before its end").isZero();
            run.advance(Duration.ofMillis(1));

            assertThat(run.version()).isEqualTo(1);
        }
    }

    @Test
    void shouldStepWithTheGradientsOfWorkersThatLeaveTogether() {
        try (TrainingRun run = sync(0, "a", "b", "c")) {
            run.push("a", 1, 0, 2);
            run.push("b", 1, 0, 4);

            run.advance(TrainingRun.LEASE);

            assertThat(run.version()).isEqualTo(1);
            assertThat(run.values()).containsExactly(-0.5f * 3);
        }
    }

    @Test
    void shouldCountTheGradientOfAWorkerThatLeftButWaitForTheOthers() {
        try (TrainingRun run = sync(0, "a", "b")) {
            run.push("a", 1, 0, 2);
            run.unregister("a");
            assertThat(run.version()).as("b has not pushed").isZero();

            assertThat(run.push("b", 1, 0, 4)).isEqualTo(new Applied(1, 0));

            assertThat(run.values()).containsExactly(-0.5f * 3);
        }
    }

    @Test
    void shouldWaitForAWorkerThatJoins() {
        try (TrainingRun run = sync(0, "a", "b")) {
            run.push("a", 1, 0, 3);
            run.withWorkers("c");
            assertThat(run.push("b", 1, 0, 6)).isEqualTo(new Buffered(0));

            assertThat(run.push("c", 1, 0, 9)).isEqualTo(new Applied(1, 0));
        }
    }

    @Test
    void shouldNeverWantMoreWorkersThanThereAre() {
        try (TrainingRun run = sync(8, "a", "b")) {
            run.push("a", 1, 0, 2);
            assertThat(run.push("b", 1, 0, 4)).isEqualTo(new Applied(1, 0));
        }
    }

    @Test
    void shouldNotStepWithoutGradients() {
        try (TrainingRun run = sync(0, "a", "b")) {
            run.unregister("a");
            run.advance(ALMOST_A_LEASE);
            run.advance(TrainingRun.LEASE);

            assertThat(run.version()).isZero();
        }
    }

    private static TrainingRun sync(int workersPerStep, String... workers) {
        return new TrainingRun(new TrainingMode.Sync(workersPerStep))
                .startingAt(0)
                .withWorkers(workers);
    }

    /** Adds the gradient of (w·x - y)^2 / 2. */
    private static void addGradient(double[] sum, double[] w, float[] x, float y) {
        double error = -y;
        for (int i = 0; i < x.length; i++) {
            error += w[i] * x[i];
        }
        for (int i = 0; i < x.length; i++) {
            sum[i] += error * x[i];
        }
    }

    private static float[] mean(double[] sum, int samples) {
        float[] mean = new float[sum.length];
        for (int i = 0; i < sum.length; i++) {
            mean[i] = (float) (sum[i] / samples);
        }
        return mean;
    }

    private static float[] floats(Random random, int size) {
        float[] values = new float[size];
        for (int i = 0; i < size; i++) {
            values[i] = (float) random.nextGaussian() / 3;
        }
        return values;
    }

    private static double[] doubles(float[] values) {
        double[] doubles = new double[values.length];
        Arrays.setAll(doubles, i -> values[i]);
        return doubles;
    }
}
