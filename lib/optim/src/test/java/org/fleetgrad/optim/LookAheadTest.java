package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Random;
import org.assertj.core.data.Offset;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.SimulatedFleet.ServiceTimes;
import org.fleetgrad.optim.StalenessCases.Case;
import org.fleetgrad.optim.StalenessRule.LookAhead;
import org.fleetgrad.optim.StalenessRule.LookAheadSlim;
import org.fleetgrad.optim.StalenessRule.None;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** DANA-Zero and DANA-Slim. */
class LookAheadTest {

    private static final int SIZE = 30;
    private static final SgdSettings MOMENTUM = new SgdSettings(0.9f, 0, false, 0);
    private static final LearningRateSchedule RATE = new LearningRateSchedule.Constant(0.05f);
    private static final float[] NO_BASE = new float[0];

    /**
     * T17: Nesterov's method in PyTorch's form keeps the look-ahead point itself, and that is what the server serves.
     */
    @Test
    void shouldServePointsOfNesterovsMethodToLoneWorker() {
        StalenessAwareOptimizer zero = StalenessAwareOptimizer.create(new LookAhead(), MOMENTUM, SIZE);
        Optimizer nesterov = Optimizer.create(new SgdSettings(0.9f, 0, true, 0), SIZE);
        Random random = new Random(1);
        float[] parameters = StalenessCases.values(random, SIZE);
        float[] expected = parameters.clone();
        for (int step = 0; step < 300; step++) {
            float[] served = zero.served(parameters, 0.05f);
            assertThat(served).as("step %d", step).containsExactly(expected, Offset.offset(2e-5f));
            float[] noise = StalenessCases.values(random, SIZE);
            zero.step("w", parameters, gradient(served, noise), 0.05f);
            nesterov.step(expected, gradient(expected, noise), 0.05f);
        }
    }

    /** T17. */
    @Test
    void shouldBeNesterovsMomentumOfPyTorchBitForBitWhenLoneWorkerKeepsIt() {
        StalenessAwareOptimizer slim = StalenessAwareOptimizer.create(new LookAheadSlim(), MOMENTUM, SIZE);
        WorkerMomentum momentum = new WorkerMomentum(new LookAheadSlim().workerMomentum(MOMENTUM), SIZE);
        Optimizer nesterov = Optimizer.create(new SgdSettings(0.9f, 0, true, 0), SIZE);
        Random random = new Random(2);
        float[] parameters = StalenessCases.values(random, SIZE);
        float[] expected = parameters.clone();
        for (int step = 0; step < 100; step++) {
            float rate = 0.1f * random.nextFloat();
            float[] gradient = StalenessCases.values(random, SIZE);
            nesterov.step(expected, gradient, rate);
            momentum.apply(gradient);
            slim.arrive("w", 3, gradient, NO_BASE, parameters, rate);
            slim.step("w", parameters, gradient, rate);
            assertThat(parameters).as("step %d", step).isEqualTo(expected);
            assertThat(slim.served(parameters, rate)).isSameAs(parameters);
        }
    }

    /**
     * T17: while the learning rate is constant, workers compute on the same points in both forms. In doubles the forms
     * agree to 1e-12; in floats, after this many steps, up to rounding.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void shouldServeSamePointsWhereverMomentumIsKept(int workers) {
        for (int steps = 0; steps <= 400; steps += 50) {
            float[] zero = fleet(new Case(new LookAhead(), MOMENTUM), workers)
                    .run(steps)
                    .served();
            float[] slim = fleet(new Case(new LookAheadSlim(), MOMENTUM), workers)
                    .run(steps)
                    .served();
            assertThat(slim).as("after step %d", steps).containsExactly(zero, Offset.offset(1e-5f));
        }
    }

    /** T17: with a momentum this small, the look-ahead point is the parameters. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void shouldBeAsynchronousSgdBitForBitWhenMomentumVanishes(int workers) {
        SgdSettings vanishing = new SgdSettings(1e-30f, 0, false, 0);
        float[] plain = fleet(new Case(new None(), new SgdSettings(0, 0, false, 0)), workers)
                .run(200)
                .served();
        assertThat(fleet(new Case(new LookAhead(), vanishing), workers).run(200).served())
                .isEqualTo(plain);
        assertThat(fleet(new Case(new LookAheadSlim(), vanishing), workers)
                        .run(200)
                        .served())
                .isEqualTo(plain);
    }

    @Test
    void shouldLookAheadByLearningRateAndMomentumOfAllWorkers() {
        StalenessAwareOptimizer zero =
                StalenessAwareOptimizer.create(new LookAhead(), new SgdSettings(0.5f, 0, false, 0.25f), 1);
        float[] parameters = {4};
        // v_a = 1 + 0.25 * 4
        zero.step("a", parameters, new float[] {1}, 1);
        assertThat(parameters).containsExactly(2);
        // v_b = 3 + 0.25 * 2
        zero.step("b", parameters, new float[] {3}, 0.5f);
        assertThat(parameters).containsExactly(0.25f);
        // v_a = 0.5 * 2 - 1 + 0.25 * 0.25
        zero.step("a", parameters, new float[] {-1}, 0);
        assertThat(StalenessCases.buffer(zero, "rule/worker/a/momentum")).containsExactly(0.0625f);
        assertThat(StalenessCases.buffer(zero, "rule/momentum_sum")).containsExactly(3.5625f);
        assertThat(zero.served(parameters, 2)).containsExactly(0.25f - 2 * 0.5f * 3.5625f);
        assertThat(zero.served(parameters, 0)).isNotSameAs(parameters).containsExactly(0.25f);
        assertThat(parameters).containsExactly(0.25f);
    }

    @Test
    void shouldTakeMomentumOfForgottenWorkerOutOfSum() {
        StalenessAwareOptimizer zero = StalenessAwareOptimizer.create(new LookAhead(), MOMENTUM, 2);
        float[] parameters = {1, 2};
        zero.step("gone", parameters, new float[] {1e7f, -3e7f}, 0.1f);
        zero.step("stays", parameters, new float[] {0.1f, 0.2f}, 0.1f);
        zero.forget("gone");
        assertThat(zero.workers()).containsExactly("stays");
        // An exact sum, not the rounding error of 0.1 next to 1e7.
        assertThat(StalenessCases.buffer(zero, "rule/momentum_sum")).containsExactly(0.1f, 0.2f);
        zero.forget("stays");
        assertThat(zero.served(parameters, 0.1f)).isEqualTo(parameters);
    }

    @Test
    void shouldKeepSumOfMomentaOverLongRun() {
        SimulatedFleet fleet = fleet(new Case(new LookAhead(), MOMENTUM), 8).run(30_000);
        float[] sum = new float[SIZE];
        fleet.state().buffers().forEach((name, values) -> {
            if (name.startsWith("rule/worker/")) {
                StalenessLoops.add(sum, values);
            }
        });
        assertThat(fleet.state().buffers().get("rule/momentum_sum")).containsExactly(sum, Offset.offset(2e-4f));
    }

    @Test
    void shouldBeginWorkersMomentumAnew() {
        WorkerMomentum momentum = new WorkerMomentum(0.5f, 1);
        assertThat(applied(momentum, 2)).containsExactly(3);
        assertThat(applied(momentum, 2)).containsExactly(3.5f);
        momentum.reset();
        assertThat(applied(momentum, 2)).containsExactly(3);
    }

    @Test
    void shouldRefuseWorkersMomentumOutOfRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new WorkerMomentum(-0.5f, 1))
                .withMessage("momentum must be 0 or more and finite; it is -0.5");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new WorkerMomentum(0.5f, -1))
                .withMessage("the number of parameters must be 0 or more; it is -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new WorkerMomentum(0.5f, 2).apply(new float[3]))
                .withMessage("the momentum has 2 values, the gradient 3");
    }

    private static float[] applied(WorkerMomentum momentum, float gradient) {
        float[] values = {gradient};
        momentum.apply(values);
        return values;
    }

    private static SimulatedFleet fleet(Case one, int workers) {
        return new SimulatedFleet(
                one,
                RATE,
                workers,
                ServiceTimes.GAMMA,
                (point, random) -> gradient(point, StalenessCases.values(random, SIZE)),
                StalenessCases.values(new Random(3), SIZE),
                4);
    }

    /** The gradient of a bowl with curvatures from 0.01 to 0.3. */
    private static float[] gradient(float[] point, float[] noise) {
        float[] gradient = new float[SIZE];
        for (int i = 0; i < SIZE; i++) {
            gradient[i] = 0.01f * (i + 1) * (point[i] + noise[i]);
        }
        return gradient;
    }
}
