package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.SimulatedFleet.ServiceTimes;
import org.fleetgrad.optim.StalenessCases.Case;
import org.fleetgrad.optim.StalenessRule.Damped;
import org.fleetgrad.optim.StalenessRule.GapAware;
import org.fleetgrad.optim.StalenessRule.LookAhead;
import org.fleetgrad.optim.StalenessRule.LookAheadSlim;
import org.fleetgrad.optim.StalenessRule.None;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Complete runs on a simulated clock. */
class SimulatedFleetTest {

    private static final int SIZE = 20;
    private static final SgdSettings MOMENTUM = new SgdSettings(0.9f, 0, false, 0);

    /** T18. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8})
    void shouldSeeStalenessGrowToOneLessThanWorkersInRoundRobin(int workers) {
        SimulatedFleet fleet = fleet(new Case(new None(), MOMENTUM), 0.01f, workers, ServiceTimes.EQUAL, 1)
                .run(4 * workers);
        List<Integer> roundAndRound = new ArrayList<>();
        List<Long> expected = new ArrayList<>();
        for (int push = 0; push < 4 * workers; push++) {
            roundAndRound.add(push % workers);
            expected.add((long) Math.min(push, workers - 1));
        }
        assertThat(fleet.order()).isEqualTo(roundAndRound);
        assertThat(fleet.stalenesses()).isEqualTo(expected);
    }

    /** T17: asynchronous training with one worker is plain training. */
    @Test
    void shouldBePlainTrainingBitForBitWithOneWorker() {
        SimulatedFleet fleet = fleet(new Case(new None(), MOMENTUM), 0.05f, 1, ServiceTimes.EQUAL, 5)
                .run(100);
        Optimizer plain = Optimizer.create(MOMENTUM, SIZE);
        float[] parameters = start();
        Random noise = new Random(5);
        for (int i = 0; i < 100; i++) {
            plain.step(parameters, gradient(parameters, noise), 0.05f);
        }
        assertThat(fleet.parameters()).isEqualTo(parameters);
    }

    static List<Case> cases() {
        return StalenessCases.all();
    }

    /** T23. */
    @ParameterizedTest
    @MethodSource("cases")
    void shouldGiveSameBitsForSameSeed(Case one) {
        SimulatedFleet first = fleet(one, 0.01f, 6, ServiceTimes.GAMMA, 11).run(200);
        SimulatedFleet second = fleet(one, 0.01f, 6, ServiceTimes.GAMMA, 11).run(200);
        SimulatedFleet other = fleet(one, 0.01f, 6, ServiceTimes.GAMMA, 12).run(200);
        assertThat(second.order()).isEqualTo(first.order());
        assertThat(second.parameters()).isEqualTo(first.parameters());
        assertThat(second.served()).isEqualTo(first.served());
        assertThat(other.order()).isNotEqualTo(first.order());
    }

    /**
     * T23: the same bits not only in this process, but on any machine and JDK. The pinned values change only with a
     * formula.
     */
    @Test
    void shouldGiveSameBitsOnAnyMachine() {
        CRC32 sum = new CRC32();
        for (Case one : StalenessCases.all()) {
            float[] parameters =
                    fleet(one, 0.01f, 6, ServiceTimes.GAMMA, 11).run(200).served();
            for (float value : parameters) {
                int bits = Float.floatToIntBits(value);
                sum.update(new byte[] {(byte) (bits >> 24), (byte) (bits >> 16), (byte) (bits >> 8), (byte) bits});
            }
        }
        assertThat(sum.getValue()).isEqualTo(4_200_444_478L);
    }

    /**
     * Eight workers, a momentum of 0.9 and a learning rate that a single worker can train with: plain asynchronous
     * momentum diverges, and the rules prevent it.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 101, 201})
    void shouldConvergeWherePlainAsynchronousMomentumDiverges(long seed) {
        double before = loss(start());
        assertThat(trained(new None(), 1, seed)).isLessThan(before / 50);
        assertThat(trained(new None(), 8, seed)).isGreaterThan(before * 1000);
        assertThat(trained(new Damped(), 8, seed)).isLessThan(before / 50);
        assertThat(trained(new GapAware(0.999f), 8, seed)).isLessThan(before / 50);
        assertThat(trained(new LookAhead(), 8, seed)).isLessThan(before / 50);
        assertThat(trained(new LookAheadSlim(), 8, seed)).isLessThan(before / 50);
    }

    private static double trained(StalenessRule rule, int workers, long seed) {
        return loss(fleet(new Case(rule, MOMENTUM), 0.02f, workers, ServiceTimes.GAMMA, seed)
                .run(3000)
                .parameters());
    }

    private static SimulatedFleet fleet(Case one, float rate, int workers, ServiceTimes times, long seed) {
        return new SimulatedFleet(
                one,
                new LearningRateSchedule.Constant(rate),
                workers,
                times,
                SimulatedFleetTest::gradient,
                start(),
                seed);
    }

    private static float[] start() {
        float[] start = new float[SIZE];
        Arrays.fill(start, 1);
        return start;
    }

    /** Curvatures from 1 to 0.01. */
    private static float curvature(int i) {
        return (float) StrictMath.pow(10, -2.0 * i / (SIZE - 1));
    }

    private static double loss(float[] point) {
        double loss = 0;
        for (int i = 0; i < SIZE; i++) {
            loss += 0.5 * (double) curvature(i) * (double) point[i] * (double) point[i];
        }
        return loss;
    }

    private static float[] gradient(float[] point, Random noise) {
        float[] gradient = new float[SIZE];
        for (int i = 0; i < SIZE; i++) {
            gradient[i] = curvature(i) * (point[i] + 0.1f * (float) noise.nextGaussian());
        }
        return gradient;
    }
}
