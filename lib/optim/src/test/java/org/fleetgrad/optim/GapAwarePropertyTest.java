package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.assertj.core.data.Offset;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessCases.Case;
import org.fleetgrad.optim.StalenessRule.GapAware;

class GapAwarePropertyTest {

    /** T11: a penalized value shrinks and keeps its sign; the larger the gap, the more it shrinks. */
    @Property(tries = 300)
    void shouldShrinkMoreTheLargerTheGap(@ForAll("withoutDecay") Case one, @ForAll Random random) {
        int size = 20;
        StalenessAwareOptimizer near = one.create(size);
        StalenessAwareOptimizer far = one.create(size);
        float[] gradient = StalenessCases.values(random, size);
        float[] parameters = StalenessCases.values(random, size);
        near.step("w", parameters.clone(), gradient, 0.1f);
        far.step("w", parameters.clone(), gradient, 0.1f);
        float[] gap = StalenessCases.values(random, size);
        float[] ofNear = gradient.clone();
        float[] ofFar = gradient.clone();
        near.arrive("w", 1, ofNear, plus(parameters, gap, 1), parameters, 0.1f);
        far.arrive("w", 1, ofFar, plus(parameters, gap, -3), parameters, 0.1f);
        for (int i = 0; i < size; i++) {
            assertThat(ofNear[i] * gradient[i] < 0).isFalse();
            assertThat(Math.abs(ofNear[i])).isLessThanOrEqualTo(Math.abs(gradient[i]));
            assertThat(Math.abs(ofFar[i])).isLessThanOrEqualTo(Math.abs(ofNear[i]));
        }
    }

    /** T11: a penalty counts steps, so it does not see how large values and steps are in themselves. */
    @Property(tries = 200)
    void shouldPenalizeTheSameWhateverTheScale(@ForAll("withoutDecay") Case one, @ForAll Random random) {
        int size = 20;
        // A power of two: each product is exact.
        float scale = 64;
        boolean isSgd = one.optimizer() instanceof SgdSettings;
        // Adam's steps have the length of the learning rate, whatever the gradients are.
        float gradients = isSgd ? scale : 1;
        float rate = isSgd ? 0.1f : 0.1f * scale;
        StalenessAwareOptimizer small = one.create(size);
        StalenessAwareOptimizer large = one.create(size);
        float[] first = StalenessCases.values(random, size);
        float[] parameters = StalenessCases.values(random, size);
        small.arrive("w", 0, first.clone(), parameters.clone(), parameters.clone(), 0.1f);
        small.step("w", parameters.clone(), first.clone(), 0.1f);
        large.arrive("w", 0, times(first, gradients), times(parameters, scale), times(parameters, scale), rate);
        large.step("w", times(parameters, scale), times(first, gradients), rate);
        float[] gradient = StalenessCases.values(random, size);
        float[] base = plus(parameters, StalenessCases.values(random, size), 0.1f);
        float[] ofSmall = gradient.clone();
        float[] ofLarge = times(gradient, gradients);

        small.arrive("w", 1, ofSmall, base, parameters, 0.1f);
        large.arrive("w", 1, ofLarge, times(base, scale), times(parameters, scale), rate);

        for (int i = 0; i < size; i++) {
            // Where nothing ever moved, the penalty's epsilon decides, and does not scale.
            if (Math.abs(first[i]) > 1e-3) {
                assertThat(ofLarge[i] / gradients)
                        .isCloseTo(ofSmall[i], Offset.offset(1e-3f * Math.abs(ofSmall[i]) + 1e-12f));
            }
        }
        assertThat(ofSmall).isNotEqualTo(gradient);
    }

    /** T10 and T11 where the stash is missing, and the gradient's own step replaces the gap. */
    @Property(tries = 200)
    void shouldShrinkByItsOwnStepOnlyWhatIsStale(@ForAll boolean hasMomentum, @ForAll Random random) {
        Case one = new Case(new GapAware(0.999f), new SgdSettings(hasMomentum ? 0.9f : 0, 0, false, 0));
        int size = 20;
        StalenessAwareOptimizer optimizer = one.create(size);
        float[] parameters = StalenessCases.values(random, size);
        optimizer.step("w", parameters, StalenessCases.values(random, size), 0.1f);
        float[] gradient = StalenessCases.values(random, size);
        float[] fresh = gradient.clone();
        float[] stale = gradient.clone();

        optimizer.arriveWithoutBase(0, fresh, parameters, 0.1f);
        assertThat(fresh).isEqualTo(gradient);
        assertThat(optimizer.state().numbers()).containsEntry("rule/arrivals", 1L);
        optimizer.arriveWithoutBase(1, stale, parameters, 0.1f);

        assertThat(optimizer.state().numbers()).containsEntry("rule/arrivals", 2L);
        for (int i = 0; i < size; i++) {
            assertThat(stale[i] * gradient[i] < 0).isFalse();
            assertThat(Math.abs(stale[i])).isLessThanOrEqualTo(Math.abs(gradient[i]));
        }
        assertThat(stale).isNotEqualTo(gradient);
    }

    private static float[] times(float[] values, float factor) {
        float[] products = values.clone();
        for (int i = 0; i < products.length; i++) {
            products[i] *= factor;
        }
        return products;
    }

    /** A gap of more steps than a float can count leaves 0, not NaN. */
    @Property(tries = 50)
    void shouldStayFiniteHoweverLargeTheGap(@ForAll("all") Case one) {
        StalenessAwareOptimizer optimizer = one.create(2);
        float[] gradient = {1, 0};
        float[] parameters = {1e30f, -1e30f};
        optimizer.arrive("w", 3, gradient, new float[] {-1e38f, 1e38f}, parameters, Float.MIN_VALUE);
        optimizer.step("w", parameters, gradient, Float.MIN_VALUE);
        assertThat(gradient[0]).isFinite();
        assertThat(gradient[1]).isFinite();
        assertThat(parameters[0]).isFinite();
        assertThat(parameters[1]).isFinite();
    }

    private static float[] plus(float[] values, float[] others, float factor) {
        float[] sum = new float[values.length];
        for (int i = 0; i < sum.length; i++) {
            sum[i] = values[i] + factor * others[i];
        }
        return sum;
    }

    @Provide
    Arbitrary<Case> all() {
        return Arbitraries.of(StalenessCases.of(GapAware.class).toList());
    }

    @Provide
    Arbitrary<Case> withoutDecay() {
        return Arbitraries.of(
                new Case(new GapAware(0.999f), new SgdSettings(0, 0, false, 0)),
                new Case(new GapAware(0.9f), new SgdSettings(0.9f, 0, true, 0)),
                new Case(new GapAware(0.999f), new AdamSettings(0.9f, 0.99f, 1e-8f, 0, false)),
                new Case(new GapAware(0.999f), new AdamWSettings(0.9f, 0.99f, 1e-8f, 0.1f, false)));
    }
}
