package org.fleetgrad.worker.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.worker.training.GradientAccumulator.Clipping;
import org.junit.jupiter.api.Test;

class GradientClippingTest {

    private static final NetworkSpec NETWORK = new NetworkSpec(
            "tiny",
            new ImageClassification(List.of(1, 1, 1), 2),
            TensorLayout.canonical(List.of(TensorSpec.f32("bn.running_mean", 1), TensorSpec.f32("w", 2))),
            ParameterState.of(List.of("bn.running_mean"), 0.1f));

    @Test
    void shouldScaleALongGradientToTheNormAndLeaveTheStatistics() {
        float[] gradient = {100, 3, 4};
        new Clipping(NETWORK.layout(), NETWORK.state(), 2.5).clip(gradient);
        assertThat(gradient[0]).isEqualTo(100);
        assertThat(gradient[1]).isCloseTo(1.5f, within(1e-5f));
        assertThat(gradient[2]).isCloseTo(2f, within(1e-5f));
    }

    @Test
    void shouldLeaveAShortGradientBitForBit() {
        float[] gradient = {100, 3, 4};
        new Clipping(NETWORK.layout(), NETWORK.state(), 5.1).clip(gradient);
        assertThat(gradient).containsExactly(100, 3, 4);
    }

    @Test
    void shouldNotClipWithoutANorm() {
        float[] gradient = {100, 3e20f, 4};
        new Clipping(NETWORK.layout(), NETWORK.state(), 0).clip(gradient);
        assertThat(gradient).containsExactly(100, 3e20f, 4);
    }

    @Test
    void shouldLeaveAGradientThatIsNotFiniteToBeRefused() {
        float[] gradient = {100, Float.NaN, 4};
        new Clipping(NETWORK.layout(), NETWORK.state(), 1).clip(gradient);
        assertThat(gradient).containsExactly(100, Float.NaN, 4);
    }
}
