package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessCases.Case;
import org.fleetgrad.optim.StalenessRule.AdaptiveDelayCompensated;
import org.fleetgrad.optim.StalenessRule.Damped;
import org.fleetgrad.optim.StalenessRule.DelayCompensated;
import org.fleetgrad.optim.StalenessRule.GapAware;
import org.fleetgrad.optim.StalenessRule.None;

/** If a rule has nothing to correct, parameters and optimizer have the same bits as with the plain optimizer. */
class StalenessBitsPropertyTest {

    private static final int STEPS = 6;

    /** T1, T17: asynchronous SGD without a remedy is SGD, at any staleness. */
    @Property(tries = 100)
    void shouldBePlainOptimizerWithoutRule(
            @ForAll("optimizers") OptimizerSettings optimizer,
            @ForAll @IntRange(max = 40) int size,
            @ForAll Random random) {
        assertPlain(new Case(new None(), optimizer), size, random, 9, false);
    }

    /** T17: with one worker theta equals base, so the curvature does not matter. */
    @Property(tries = 200)
    void shouldBePlainOptimizerWhereDelayCompensationHasNoDelay(
            @ForAll("delayCompensated") Case one, @ForAll @IntRange(max = 40) int size, @ForAll Random random) {
        assertPlain(one, size, random, 0, true);
    }

    /** T17: lambda 0 is asynchronous SGD. */
    @Property(tries = 200)
    void shouldBePlainOptimizerWhereDelayIsNotCompensated(
            @ForAll("optimizers") OptimizerSettings optimizer,
            @ForAll boolean isAdaptive,
            @ForAll @IntRange(max = 40) int size,
            @ForAll Random random) {
        StalenessRule rule = isAdaptive ? new AdaptiveDelayCompensated(0, 0.95f) : new DelayCompensated(0);
        assertPlain(new Case(rule, optimizer), size, random, 9, false);
    }

    /** T17: damping begins at a staleness of 2. */
    @Property(tries = 100)
    void shouldBePlainOptimizerWhereStalenessIsOneOrLess(
            @ForAll("damped") Case one, @ForAll @IntRange(max = 40) int size, @ForAll Random random) {
        assertPlain(one, size, random, 1, false);
    }

    /** T10: fresh gradients keep their bits however far away the base is, and the averages are still updated. */
    @Property(tries = 300)
    void shouldBePlainOptimizerWhereGapAwareFindsNoStaleness(
            @ForAll("gapAware") Case one, @ForAll @IntRange(max = 40) int size, @ForAll Random random) {
        assertPlain(one, size, random, 0, false);
    }

    /** T10: stale gradients keep their bits if no parameter moved, zeros of either sign included. */
    @Property(tries = 300)
    void shouldBePlainOptimizerWhereGapAwareFindsNoGap(
            @ForAll("gapAware") Case one, @ForAll @IntRange(max = 40) int size, @ForAll Random random) {
        assertPlain(one, size, random, 9, true);
    }

    /** T10. */
    @Property(tries = 100)
    void shouldGoOnAveragingFreshGradients(@ForAll("gapAware") Case one, @ForAll Random random) {
        StalenessAwareOptimizer optimizer = one.create(1);
        float[] parameters = {1};
        for (int i = 0; i < STEPS; i++) {
            float[] gradient = {1 + random.nextFloat()};
            optimizer.arrive("w", 0, gradient, parameters.clone(), parameters, 0.1f);
            optimizer.step("w", parameters, gradient, 0.1f);
        }
        if (one.optimizer() instanceof SgdSettings) {
            assertThat(optimizer.state().numbers()).containsEntry("rule/arrivals", (long) STEPS);
            assertThat(StalenessCases.buffer(optimizer, "rule/average")[0]).isPositive();
        } else {
            assertThat(StalenessCases.buffer(optimizer, "rule/step_squares")[0]).isPositive();
        }
    }

    private static void assertPlain(Case one, int size, Random random, int mostStaleness, boolean isBaseCurrent) {
        StalenessAwareOptimizer ruled = one.create(size);
        Optimizer plain = Optimizer.create(one.optimizer(), size);
        float[] ofRuled = StalenessCases.values(random, size);
        float[] ofPlain = ofRuled.clone();
        for (int i = 0; i < STEPS; i++) {
            float rate = 0.01f * i;
            float[] gradient = StalenessCases.values(random, size);
            float[] arrived = gradient.clone();
            float[] base = isBaseCurrent ? ofRuled.clone() : StalenessCases.values(random, size);
            ruled.arrive("w", random.nextInt(mostStaleness + 1), arrived, base, ofRuled, rate);
            ruled.step("w", ofRuled, arrived, rate);
            plain.step(ofPlain, gradient, rate);
            // Tells 0 from -0.
            assertThat(ofRuled).isEqualTo(ofPlain);
        }
        OptimizerState expected = plain.state();
        assertThat(ruled.state().numbers()).containsEntry("optimizer/steps", expected.steps());
        expected.buffers()
                .forEach((name, values) -> assertThat(StalenessCases.buffer(ruled, "optimizer/" + name))
                        .isEqualTo(values));
    }

    /** T19: n gradients of the current version and the step with their mean are the synchronous step. */
    @Property(tries = 200)
    void shouldMakeSynchronousStepWithMeanOfFreshGradients(
            @ForAll("withoutLookAhead") Case one,
            @ForAll @IntRange(min = 1, max = 6) int workers,
            @ForAll @IntRange(max = 40) int size,
            @ForAll Random random) {
        StalenessAwareOptimizer ruled = one.create(size);
        Optimizer plain = Optimizer.create(one.optimizer(), size);
        float[] ofRuled = StalenessCases.values(random, size);
        float[] ofPlain = ofRuled.clone();
        for (int i = 0; i < STEPS; i++) {
            List<float[]> gradients = new ArrayList<>();
            List<float[]> arrived = new ArrayList<>();
            for (int w = 0; w < workers; w++) {
                gradients.add(StalenessCases.values(random, size));
                arrived.add(gradients.get(w).clone());
                ruled.arrive("w" + w, 0, arrived.get(w), ofRuled.clone(), ofRuled, 0.05f);
            }
            ruled.step("w0", ofRuled, mean(arrived, size), 0.05f);
            plain.step(ofPlain, mean(gradients, size), 0.05f);
            assertThat(ofRuled).isEqualTo(ofPlain);
        }
    }

    private static float[] mean(List<float[]> gradients, int size) {
        float[] mean = new float[size];
        for (float[] gradient : gradients) {
            for (int i = 0; i < size; i++) {
                mean[i] += gradient[i] / gradients.size();
            }
        }
        return mean;
    }

    @Provide
    Arbitrary<OptimizerSettings> optimizers() {
        return Arbitraries.of(StalenessCases.OPTIMIZERS);
    }

    @Provide
    Arbitrary<Case> damped() {
        return Arbitraries.of(StalenessCases.of(Damped.class).toList());
    }

    @Provide
    Arbitrary<Case> gapAware() {
        return Arbitraries.of(StalenessCases.of(GapAware.class).toList());
    }

    @Provide
    Arbitrary<Case> delayCompensated() {
        List<Case> both =
                new ArrayList<>(StalenessCases.of(DelayCompensated.class).toList());
        both.addAll(StalenessCases.of(AdaptiveDelayCompensated.class).toList());
        return Arbitraries.of(both);
    }

    @Provide
    Arbitrary<Case> withoutLookAhead() {
        return Arbitraries.of(
                StalenessCases.all().stream().filter(one -> !one.looksAhead()).toList());
    }
}
