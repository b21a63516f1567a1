package org.fleetgrad.ps.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.fleetgrad.optim.Aggregation;
import org.fleetgrad.optim.TrainingMode;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.parameters.BufferPool;
import org.fleetgrad.ps.parameters.Gradient;
import org.fleetgrad.ps.progress.TrainingStatistics;
import org.junit.jupiter.api.Test;

class PendingStepTest {

    private final PendingStep pending = step(new Aggregation.Mean());

    @Test
    void shouldApplyALoneGradientBitForBit() {
        // Multiplied by 3 and divided again, none of these would come back as it was.
        float[] gradient = {Float.MIN_VALUE, -0.0f, 0.1f, 1f / 3, Float.MAX_VALUE};

        pending.add(gradient("a", 3, 0, 0, gradient.clone()));

        assertThat(bits(pending.combined())).containsExactly(bits(gradient));
    }

    @Test
    void shouldAverageByNumberOfSamples() {
        pending.add(gradient("a", 1, 7, 0, 4, -8));
        pending.add(gradient("b", 3, 5, 0, 8, 0));

        assertThat(pending.combined()).containsExactly(7, -2);
        assertThat(pending.gradients()).isEqualTo(2);
        assertThat(pending.samples()).isEqualTo(4);
        assertThat(pending.oldestBase()).isEqualTo(5);
    }

    @Test
    void shouldMakeTheMeanOfTheWholeBatchOutOfUnevenParts() {
        Random random = new Random(1);
        int size = 50;
        double[] sum = new double[size];
        long samples = 0;
        for (int part = 1; part <= 8; part++) {
            float[] mean = new float[size];
            double[] partSum = new double[size];
            for (int sample = 0; sample < part * 5; sample++) {
                for (int i = 0; i < size; i++) {
                    double value = random.nextGaussian();
                    partSum[i] += value;
                    sum[i] += value;
                }
            }
            for (int i = 0; i < size; i++) {
                mean[i] = (float) (partSum[i] / (part * 5));
            }
            samples += part * 5L;
            pending.add(gradient("w" + part, part * 5L, 0, 0, mean));
        }

        float[] mean = pending.combined();

        assertThat(samples).isEqualTo(pending.samples());
        for (int i = 0; i < size; i++) {
            assertThat((double) mean[i]).isCloseTo(sum[i] / (double) samples, within(1e-6));
        }
    }

    @Test
    void shouldGiveTheSameMeanTwice() {
        pending.add(gradient("a", 1, 0, 0, 2));
        pending.add(gradient("b", 1, 0, 0, 4));

        assertThat(pending.combined()).containsExactly(3);
        assertThat(pending.combined()).containsExactly(3);
    }

    @Test
    void shouldWeightTheLossBySamples() {
        pending.add(gradient("a", 1, 0, 4.0, 0));
        pending.add(gradient("b", 3, 0, 8.0, 0));

        assertThat(pending.meanLoss()).isEqualTo(7.0);
    }

    @Test
    void shouldStayFiniteWhateverFiniteLossesComeIn() {
        TrainingStatistics statistics = new TrainingStatistics();
        for (double loss : new double[] {Double.MAX_VALUE, -Double.MAX_VALUE, -Double.MAX_VALUE, 1}) {
            pending.add(gradient("a", 1_000_000, 0, loss, 0));
            statistics.stepped(1_000_000, pending.meanLoss());
            pending.clear();

            assertThat(statistics.state().loss())
                    .hasValueSatisfying(smoothed -> assertThat(smoothed).isFinite());
        }
        pending.add(gradient("a", 1_000_000, 0, Double.MAX_VALUE, 0));
        pending.add(gradient("b", 1_000_000, 0, Double.MAX_VALUE, 0));

        assertThat(pending.state())
                .hasValueSatisfying(waiting -> assertThat(waiting.lossSum())
                        .as("JSON, and so a checkpoint, has no infinity")
                        .isFinite());
    }

    @Test
    void shouldKnowItsWorkers() {
        pending.add(gradient("a", 1, 0, 0, 0));
        pending.add(gradient("b", 1, 0, 0, 0));

        assertThat(pending.has("a")).isTrue();
        assertThat(pending.has("c")).isFalse();
        assertThat(pending.contributorsAmong(Set.of("b", "c", "d"))).isEqualTo(1);
    }

    @Test
    void shouldForgetEverythingWhenCleared() {
        pending.add(gradient("a", 5, 9, 2.0, 3));
        pending.add(gradient("b", 5, 9, 2.0, 3));

        pending.clear();

        assertThat(pending.isEmpty()).isTrue();
        assertThat(pending.samples()).isZero();
        assertThat(pending.has("a")).isFalse();
        assertThatIllegalStateException().isThrownBy(pending::combined).withMessage("no gradient waits for a step");
        pending.add(gradient("a", 7, 11, 1.0, 0.1f));
        assertThat(pending.combined()).containsExactly(0.1f);
        assertThat(pending.oldestBase()).isEqualTo(11);
        assertThat(pending.meanLoss()).isEqualTo(1.0);
    }

    @Test
    void shouldKeepEachGradientOfARuleThatNeedsThem() {
        PendingStep robust = step(new Aggregation.Median());
        robust.add(gradient("a", 1, 0, 0, 1, -1));
        robust.add(gradient("bad", 1_000_000, 0, 0, 1e30f, 1e30f));
        robust.add(gradient("c", 1, 0, 0, 3, 5));

        assertThat(robust.state().orElseThrow().values()).hasSize(3);
        assertThat(robust.combined()).containsExactly(3, 5);
        assertThat(robust.combined()).as("asked again").containsExactly(3, 5);
    }

    @Test
    void shouldCountWhatAnotherRuleKeptAsOneGradient() {
        PendingStep robust = step(new Aggregation.Median());
        pending.add(gradient("a", 1, 0, 0, 4));
        pending.add(gradient("b", 3, 0, 0, 8));

        robust.restore(pending.state());
        robust.add(gradient("c", 1, 0, 0, 9));
        robust.add(gradient("d", 1, 0, 0, 10));
        assertThat(robust.state().orElseThrow().values())
                .as("the mean of two, and two")
                .hasSize(3);
        pending.restore(robust.state());

        assertThat(pending.combined()).containsExactly((7 + 9 + 10) / 3f);
        assertThat(robust.combined()).containsExactly(9);
        assertThat(pending.samples()).isEqualTo(6);
    }

    /** Parts of a batch whose samples have weights: the mean of the parts is that of the batch, whatever is in which part. */
    @Test
    void shouldMakeTheWeightedMeanOfTheWholeBatch() {
        Random random = new Random(2);
        double[] sum = new double[3];
        double all = 0;
        double losses = 0;
        for (int part = 1; part <= 5; part++) {
            double weight = Math.pow(10, part - 3) * (1 + random.nextDouble());
            float[] mean = new float[3];
            for (int i = 0; i < 3; i++) {
                mean[i] = (float) random.nextGaussian();
                sum[i] += weight * mean[i];
            }
            all += weight;
            losses += weight * part;
            pending.add(weighted("w" + part, part, weight, part, mean));
        }

        float[] combined = pending.combined();
        for (int i = 0; i < 3; i++) {
            assertThat((double) combined[i]).isCloseTo(sum[i] / all, within(1e-5));
        }
        assertThat(pending.meanLoss()).isCloseTo(losses / all, within(1e-9));
        assertThat(pending.samples()).isEqualTo(1 + 2 + 3 + 4 + 5);
    }

    /** Their gradient is 0; the last value is of state, which each batch observes. */
    @Test
    void shouldKeepTheStateOfSamplesWithoutWeight() {
        pending.add(weighted("a", 4, 0, 0, 0, 2));
        pending.add(weighted("b", 4, 0, 0, 0, 4));
        assertThat(pending.combined()[0]).isZero();
        assertThat(pending.combined()[1]).isCloseTo(3, within(1e-6f));

        pending.clear();
        pending.add(weighted("a", 4, 0, 0, 0, 100));
        pending.add(weighted("b", 4, 0.5, 1, 6, 4));
        assertThat(pending.combined()).containsExactly(6, 4);
        assertThat(pending.meanLoss()).isEqualTo(1);
    }

    @Test
    void shouldContinueWithTheWeightsOfBefore() {
        PendingStep other = step(new Aggregation.Mean());
        pending.add(weighted("a", 4, 2.5, 0, 1));
        pending.add(gradient("b", 4, 0, 0, 2));
        other.restore(pending.state());

        other.add(weighted("c", 4, 3.5, 0, 7));

        assertThat(other.combined()).containsExactly((2.5f + 4 * 2 + 3.5f * 7) / 10);
    }

    private static Gradient weighted(String worker, long samples, double weight, double loss, float... values) {
        return new Gradient(
                new GradientMetadata(
                        worker,
                        1,
                        "g1",
                        0,
                        samples,
                        loss,
                        Optional.empty(),
                        OptionalLong.empty(),
                        OptionalDouble.of(weight)),
                values);
    }

    private static PendingStep step(Aggregation aggregation) {
        Leases leases = new Leases(Clock.systemUTC(), Duration.ofMinutes(1), 8, () -> "drawn");
        return new PendingStep(BufferPool.ofFloats(1), new TrainingMode.Sync(0, 0, aggregation), leases);
    }

    private static Gradient gradient(String worker, long samples, long baseVersion, double loss, float... values) {
        return new Gradient(new GradientMetadata(worker, 1, "g1", baseVersion, samples, loss), values);
    }

    private static int[] bits(float[] values) {
        int[] bits = new int[values.length];
        for (int i = 0; i < values.length; i++) {
            bits[i] = Float.floatToRawIntBits(values[i]);
        }
        return bits;
    }
}
