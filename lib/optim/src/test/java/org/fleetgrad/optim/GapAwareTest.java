package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.assertj.core.data.Offset;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.StalenessRule.GapAware;
import org.junit.jupiter.api.Test;

class GapAwareTest {

    private static final SgdSettings PLAIN = new SgdSettings(0, 0, false, 0);

    @Test
    void shouldHalveGradientThatLiesOneUsualStepAway() {
        StalenessAwareOptimizer optimizer = sgd(PLAIN);
        float[] gradient = {4};
        // The unbiased average is 4^2 (a = 0.001 * 4^2), so a step is 0.25 * 4.
        optimizer.arrive("w", 1, gradient, new float[] {5}, new float[] {6}, 0.25f);
        assertThat(gradient).containsExactly(new float[] {2}, Offset.offset(1e-5f));
    }

    @Test
    void shouldShrinkWeightDecayWithGradient() {
        StalenessAwareOptimizer optimizer = sgd(new SgdSettings(0, 0, false, 0.5f));
        float[] gradient = {4};
        float[] parameters = {6};
        optimizer.arrive("w", 1, gradient, new float[] {5}, parameters, 0.25f);
        optimizer.step("w", parameters, gradient, 0.25f);
        // Half of the gradient, 4, and half of the decay, 0.5 * 6.
        assertThat(parameters).containsExactly(new float[] {6 - 0.25f * (4 + 3) / 2}, Offset.offset(1e-5f));
    }

    @Test
    void shouldMeasureStepByMomentumBeforeIt() {
        StalenessAwareOptimizer optimizer = sgd(new SgdSettings(0.5f, 0, false, 0));
        float[] parameters = {10};
        // Leaves a momentum of 3 and an average of 0.
        float[] first = {3};
        optimizer.arrive("w", 0, first, parameters.clone(), parameters, 0.25f);
        optimizer.step("w", parameters, first, 0.25f);
        float[] gradient = {100};
        optimizer.arrive("w", 1, gradient, new float[] {10}, parameters, 0.25f);
        double usual = 0.25 * Math.sqrt(0.001 * 9 / (1 - 0.999 * 0.999));
        assertThat((double) gradient[0]).isEqualTo(100 / (1 + 0.75 / usual), Offset.offset(1e-3));
    }

    /** The one step since then has moved the parameter by about lr |g|, which here is one usual step. */
    @Test
    void shouldEstimateGapOverOneStepFromGradientItself() {
        StalenessAwareOptimizer optimizer = sgd(new SgdSettings(0, 0, false, 0.5f));
        float[] gradient = {-4};
        float[] parameters = {6};
        optimizer.arriveWithoutBase(1, gradient, parameters, 0.25f);
        // Half of the gradient, and less by half of the decay that the optimizer will add.
        assertThat(gradient).containsExactly(new float[] {-2 - 0.5f * 6 / 2}, Offset.offset(1e-5f));
    }

    @Test
    void shouldLeaveFreshGradientAloneWithoutBase() {
        StalenessAwareOptimizer optimizer = sgd(PLAIN);
        float[] gradient = {4};
        optimizer.arriveWithoutBase(0, gradient, new float[] {6}, 0.25f);
        assertThat(gradient).containsExactly(4);
        assertThat(optimizer.state().numbers()).containsEntry("rule/arrivals", 1L);
    }

    @Test
    void shouldRefuseToEstimateWhatItCannot() {
        StalenessAwareOptimizer optimizer = sgd(PLAIN);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> optimizer.arriveWithoutBase(2, new float[1], new float[1], 0.25f))
                .withMessageContaining("the staleness is 2");
        StalenessAwareOptimizer none = StalenessAwareOptimizer.create(new StalenessRule.None(), PLAIN, 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> none.arriveWithoutBase(1, new float[1], new float[1], 0.25f))
                .withMessageContaining("gap-aware SGD");
    }

    @Test
    void shouldMeasureStepByLargestLearningRateSoFar() {
        StalenessAwareOptimizer warm = sgd(PLAIN);
        warm.arrive("w", 0, new float[] {4}, new float[1], new float[1], 0.25f);
        float[] gradient = {4};
        warm.arrive("w", 1, gradient, new float[] {5}, new float[] {6}, 0.01f);
        assertThat(gradient).containsExactly(new float[] {2}, Offset.offset(1e-5f));
    }

    @Test
    void shouldLeaveGradientAloneBeforeFirstLearningRate() {
        StalenessAwareOptimizer optimizer = sgd(PLAIN);
        float[] gradient = {4};
        optimizer.arrive("w", 5, gradient, new float[] {5}, new float[] {6}, 0);
        assertThat(gradient).containsExactly(4);
        assertThat(optimizer.state().numbers()).containsEntry("rule/arrivals", 1L);
    }

    /** T10: also if a usual step would round to 0, so that the gap would be 0/0 steps. */
    @Test
    void shouldLeaveGradientAloneWithoutGapHoweverSmallTheSteps() {
        StalenessAwareOptimizer optimizer = sgd(new SgdSettings(0.9f, 0, false, 0));
        float[] gradient = {4};
        optimizer.arrive("w", 1, gradient, new float[] {6}, new float[] {6}, Float.MIN_VALUE);
        assertThat(gradient).containsExactly(4);
    }

    @Test
    void shouldMeasureAdamsStepsWithoutDecoupledDecay() {
        // With an epsilon of 0 Adam's first step is the learning rate, whatever the gradient.
        StalenessAwareOptimizer optimizer =
                StalenessAwareOptimizer.create(new GapAware(0.5f), new AdamWSettings(0.9f, 0.99f, 0, 0.5f, false), 1);
        float[] parameters = {100};
        optimizer.step("w", parameters, new float[] {7}, 0.1f);
        assertThat(parameters).containsExactly(new float[] {100 * (1 - 0.1f * 0.5f) - 0.1f}, Offset.offset(1e-4f));
        assertThat(StalenessCases.buffer(optimizer, "rule/step_squares"))
                .containsExactly(new float[] {0.01f * 0.1f * 0.1f}, Offset.offset(1e-9f));
        float[] gradient = {8};
        // The usual step is 0.01, so a gap of 0.03 leaves a quarter.
        optimizer.arrive("w", 1, gradient, new float[] {1.03f}, new float[] {1}, 0.1f);
        assertThat(gradient).containsExactly(new float[] {2}, Offset.offset(1e-4f));
    }

    @Test
    void shouldUndoAdamWsDecayByMeanOfWhatArrivedAndOnlyOnce() {
        AdamWSettings settings = new AdamWSettings(0.9f, 0.99f, 0, 0.5f, false);
        StalenessAwareOptimizer optimizer = StalenessAwareOptimizer.create(new GapAware(0.999f), settings, 1);
        optimizer.step("w", new float[1], new float[] {7}, 0.1f);
        float[] parameters = {1};
        // One gradient is shrunk to a quarter, the other not at all.
        optimizer.arrive("w", 1, new float[] {8}, new float[] {1.03f}, parameters, 0.1f);
        optimizer.arrive("v", 0, new float[] {8}, new float[] {1.03f}, parameters, 0.1f);
        assertThat(parameters).containsExactly(1);
        StalenessAwareOptimizer plain = StalenessAwareOptimizer.create(new StalenessRule.None(), settings, 1);
        plain.step("w", new float[1], new float[] {7}, 0.1f);
        float[] relieved = {1 + 0.1f * 0.5f * 0.75f / 2};
        plain.step("w", relieved, new float[] {5}, 0.1f);
        optimizer.step("w", parameters, new float[] {5}, 0.1f);
        assertThat(parameters).containsExactly(relieved, Offset.offset(1e-5f));
        float[] next = relieved.clone();
        plain.step("w", relieved, new float[] {5}, 0.1f);
        optimizer.step("w", next, new float[] {5}, 0.1f);
        assertThat(next).isEqualTo(relieved);
    }

    private static StalenessAwareOptimizer sgd(SgdSettings settings) {
        return StalenessAwareOptimizer.create(new GapAware(0.999f), settings, 1);
    }
}
