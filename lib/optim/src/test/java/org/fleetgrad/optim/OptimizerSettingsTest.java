package org.fleetgrad.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamWSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.junit.jupiter.api.Test;

class OptimizerSettingsTest {

    @Test
    void shouldPrintWhatDiffersFromPyTorchsDefaults() {
        assertThat(new SgdSettings(0.9f, 0, true, 0.0005f))
                .hasToString("sgd:momentum=0.9,nesterov=true,weight-decay=0.0005");
        assertThat(new AdamSettings(0.9f, 0.999f, 1e-8f, 0, false)).hasToString("adam");
        assertThat(new AdamWSettings(0.9f, 0.99f, 1e-8f, 0.01f, true)).hasToString("adamw:beta2=0.99,amsgrad=true");
    }

    @Test
    void shouldCountTheBuffersOfTheOptimizer() {
        List.of(
                        new SgdSettings(0, 0, false, 0),
                        new SgdSettings(0.9f, 0, true, 0),
                        new AdamSettings(0.9f, 0.999f, 1e-8f, 0, false),
                        new AdamSettings(0.9f, 0.999f, 1e-8f, 0, true),
                        new AdamWSettings(0.9f, 0.99f, 1e-8f, 0.01f, false),
                        new AdamWSettings(0.9f, 0.99f, 1e-8f, 0.01f, true))
                .forEach(settings -> {
                    Optimizer optimizer = Optimizer.create(settings, 2);
                    optimizer.step(new float[2], new float[] {1, 1}, 0.1f);
                    assertThat(settings.bufferCount())
                            .as(settings.toString())
                            .isEqualTo(optimizer.state().buffers().size());
                });
    }

    @Test
    void shouldRefuseSgdOutOfRange() {
        assertRefused(() -> new SgdSettings(-0.1f, 0, false, 0), "momentum must be 0 or more and finite; it is -0.1");
        assertRefused(() -> new SgdSettings(0, Float.NaN, false, 0), "dampening must be finite; it is NaN");
        assertRefused(() -> new SgdSettings(0, 0, false, -1), "weight decay must be 0 or more and finite; it is -1.0");
    }

    @Test
    void shouldRefuseNesterovWithoutMomentumOrWithDampening() {
        assertRefused(
                () -> new SgdSettings(0, 0, true, 0),
                "Nesterov momentum needs a momentum of more than 0 and a dampening of 0; they are 0.0 and 0.0");
        assertRefused(
                () -> new SgdSettings(0.9f, 0.1f, true, 0),
                "Nesterov momentum needs a momentum of more than 0 and a dampening of 0; they are 0.9 and 0.1");
    }

    @Test
    void shouldTakeMomentumOfOneOrMoreAsPyTorchDoes() {
        assertThat(new SgdSettings(1.5f, -0.5f, false, 0).momentum()).isEqualTo(1.5f);
    }

    @Test
    void shouldRefuseAdamOutOfRange() {
        assertRefused(
                () -> new AdamSettings(1, 0.999f, 1e-8f, 0, false),
                "beta1 must be 0 or more and less than 1; it is 1.0");
        assertRefused(
                () -> new AdamSettings(0.9f, -0.1f, 1e-8f, 0, false),
                "beta2 must be 0 or more and less than 1; it is -0.1");
        assertRefused(
                () -> new AdamSettings(0.9f, 0.999f, -1e-8f, 0, false),
                "epsilon must be 0 or more and finite; it is -1.0E-8");
        assertRefused(
                () -> new AdamSettings(0.9f, 0.999f, 1e-8f, Float.POSITIVE_INFINITY, false),
                "weight decay must be 0 or more and finite; it is Infinity");
    }

    @Test
    void shouldRefuseAdamWOutOfRange() {
        assertRefused(
                () -> new AdamWSettings(Float.NaN, 0.999f, 1e-8f, 0, false),
                "beta1 must be 0 or more and less than 1; it is NaN");
        assertRefused(
                () -> new AdamWSettings(0.9f, 1.5f, 1e-8f, 0, false),
                "beta2 must be 0 or more and less than 1; it is 1.5");
    }

    private static void assertRefused(ThrowingCallable making, String message) {
        assertThatIllegalArgumentException().isThrownBy(making).withMessage(message);
    }
}
