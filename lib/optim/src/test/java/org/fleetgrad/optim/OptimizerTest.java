package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.assertj.core.data.Offset;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptimizerTest {

    private static final SgdSettings PLAIN = new SgdSettings(0, 0, false, 0);
    private static final SgdSettings MOMENTUM = new SgdSettings(0.9f, 0, false, 0);
    private static final AdamSettings ADAM = new AdamSettings(0.9f, 0.999f, 1e-8f, 0, false);

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100})
    void shouldMoveByPushesTimesRateTimesGradient(int pushes) {
        float[] parameters = {1, -2, 0, 3};
        Optimizer optimizer = Optimizer.create(PLAIN, 4);
        for (int push = 0; push < pushes; push++) {
            optimizer.step(parameters, new float[] {1, 2, -4, 0.5f}, 0.01f);
        }
        float moved = pushes * 0.01f;
        assertThat(parameters)
                .containsExactly(
                        new float[] {1 - moved, -2 - 2 * moved, 4 * moved, 3 - 0.5f * moved}, Offset.offset(2e-5f));
    }

    @Test
    void shouldStepByLearningRateWhateverTheGradientInAdamsFirstStep() {
        float[] parameters = {1, 1, 1};
        Optimizer.create(new AdamSettings(0.9f, 0.999f, 0, 0, false), 3)
                .step(parameters, new float[] {1e-6f, -3, 1e6f}, 0.1f);
        assertThat(parameters).containsExactly(new float[] {0.9f, 1.1f, 0.9f}, Offset.offset(1e-6f));
    }

    @Test
    void shouldTakeGradientUndampenedIntoFirstMomentumBuffer() {
        Optimizer optimizer = Optimizer.create(new SgdSettings(0.9f, 0.5f, false, 0), 1);
        float[] parameters = {0};
        optimizer.step(parameters, new float[] {2}, 1);
        assertThat(optimizer.state().buffers().get("momentum_buffer")).containsExactly(2);
        optimizer.step(parameters, new float[] {2}, 1);
        assertThat(optimizer.state().buffers().get("momentum_buffer"))
                .containsExactly(new float[] {0.9f * 2 + 0.5f * 2}, Offset.offset(1e-6f));
    }

    @Test
    void shouldOnlyDecayWhereAdamWsGradientIsZero() {
        float[] parameters = {2};
        Optimizer.create(new AdamWSettings(0.9f, 0.999f, 1e-8f, 0.5f, false), 1)
                .step(parameters, new float[] {0}, 0.1f);
        assertThat(parameters).containsExactly(1.9f);
    }

    @Test
    void shouldLeaveGradientAlone() {
        for (OptimizerSettings settings : new OptimizerSettings[] {new SgdSettings(0.9f, 0, true, 0.1f), ADAM}) {
            float[] gradient = {1, 2};
            Optimizer.create(settings, 2).step(new float[] {3, 4}, gradient, 0.1f);
            assertThat(gradient).containsExactly(1, 2);
        }
    }

    @Test
    void shouldNameBuffersAsPyTorchDoes() {
        assertThat(buffers(PLAIN)).isEmpty();
        assertThat(buffers(MOMENTUM)).containsOnlyKeys("momentum_buffer");
        assertThat(buffers(ADAM)).containsOnlyKeys("exp_avg", "exp_avg_sq");
        assertThat(buffers(new AdamWSettings(0.9f, 0.999f, 1e-8f, 0, true)))
                .containsOnlyKeys("exp_avg", "exp_avg_sq", "max_exp_avg_sq");
    }

    private static Map<String, float[]> buffers(OptimizerSettings settings) {
        return Optimizer.create(settings, 3).state().buffers();
    }

    @Test
    void shouldKeepCopyOfStateApartFromLaterSteps() {
        Optimizer optimizer = Optimizer.create(MOMENTUM, 1);
        optimizer.step(new float[1], new float[] {1}, 0.1f);
        OptimizerState copy = optimizer.state().copy();
        optimizer.step(new float[1], new float[] {1}, 0.1f);
        assertThat(copy.steps()).isEqualTo(1);
        assertThat(copy.buffers().get("momentum_buffer")).containsExactly(1);
    }

    @Test
    void shouldNotShareArraysWithStateThatWasRestored() {
        Optimizer first = Optimizer.create(MOMENTUM, 1);
        first.step(new float[1], new float[] {1}, 0.1f);
        Optimizer second = Optimizer.create(MOMENTUM, 1);
        second.restore(first.state());
        second.step(new float[1], new float[] {1}, 0.1f);
        assertThat(first.state().buffers().get("momentum_buffer")).containsExactly(1);
    }

    @Test
    void shouldRefuseStateOfAnotherOptimizerAndStayAsItWas() {
        Optimizer optimizer = Optimizer.create(ADAM, 2);
        optimizer.step(new float[2], new float[] {1, 1}, 0.1f);
        OptimizerState before = optimizer.state().copy();
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> optimizer.restore(Optimizer.create(MOMENTUM, 2).state()))
                .withMessage("the optimizer's buffers are [exp_avg, exp_avg_sq], the state's are [momentum_buffer]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> optimizer.restore(Optimizer.create(ADAM, 3).state()))
                .withMessageMatching("the optimizer has 2 values, the state's buffer 'exp_avg(_sq)?' has 3");
        assertThat(optimizer.state()).usingRecursiveComparison().isEqualTo(before);
    }

    @Test
    void shouldRefuseNegativeCounts() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OptimizerState(-1, Map.of()))
                .withMessage("the number of steps must be 0 or more; it is -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Optimizer.create(PLAIN, -2))
                .withMessage("the number of parameters must be 0 or more; it is -2");
    }

    @Test
    void shouldRefuseArraysOfAnotherSizeBeforeStepCounts() {
        Optimizer optimizer = Optimizer.create(PLAIN, 2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> optimizer.step(new float[2], new float[3], 0.1f))
                .withMessage("the optimizer has 2 values, the parameters 2 and the gradient 3");
        assertThatIllegalArgumentException().isThrownBy(() -> optimizer.step(new float[1], new float[2], 0.1f));
        assertThat(optimizer.state().steps()).isZero();
    }

    @Test
    void shouldRefuseRangeOutsideOfArrays() {
        for (OptimizerSettings settings : new OptimizerSettings[] {PLAIN, ADAM}) {
            Optimizer.Step step = Optimizer.create(settings, 2).beginStep(0.1f);
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> step.apply(new float[2], new float[2], 1, 3));
            assertThatIllegalArgumentException().isThrownBy(() -> step.apply(new float[3], new float[3], 0, 2));
        }
    }

    @ParameterizedTest
    @ValueSource(floats = {-0.1f, Float.NaN, Float.POSITIVE_INFINITY})
    void shouldRefuseLearningRate(float learningRate) {
        for (OptimizerSettings settings : new OptimizerSettings[] {PLAIN, ADAM}) {
            Optimizer optimizer = Optimizer.create(settings, 1);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> optimizer.beginStep(learningRate))
                    .withMessage("the learning rate must be 0 or more and finite; it is " + learningRate);
            assertThat(optimizer.state().steps()).isZero();
        }
    }
}
