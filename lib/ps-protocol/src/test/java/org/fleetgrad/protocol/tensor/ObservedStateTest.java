package org.fleetgrad.protocol.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ObservedStateTest {

    private static final TensorLayout LAYOUT = TensorLayout.canonical(List.of(
            TensorSpec.f32("bn.bias", 2),
            TensorSpec.f32("bn.mean", 2),
            TensorSpec.f32("bn.var", 2),
            TensorSpec.f32("w", 1)));
    private static final ObservedState STATE = ObservedState.of(
            LAYOUT,
            ParameterState.in(Map.of(
                    ParameterState.KEY,
                    new ParameterState(new TreeMap<>(Map.of("bn.mean", 0.1f, "bn.var", 0.5f))).text())));

    @Test
    void shouldTakeTheStatisticsOutOfAGradientAndPutThemBack() {
        float[] gradient = {1, 2, 3, 4, 5, 6, 7};
        float[] observed = STATE.take(gradient);
        assertThat(observed).containsExactly(3, 4, 5, 6);
        assertThat(gradient).containsExactly(1, 2, 0, 0, 0, 0, 7);
        STATE.putBack(observed, gradient);
        assertThat(gradient).containsExactly(1, 2, 3, 4, 5, 6, 7);
    }

    @Test
    void shouldMoveOneBatchAsPyTorchDoes() {
        float[] parameters = {9, 9, 0, 1, 1, 1, 9};
        STATE.mergeInto(parameters, new float[] {10, 20, 3, 5}, 1);
        assertThat(parameters).containsExactly(9, 9, 0.1f * 10, 0.9f * 1 + 0.1f * 20, 0.5f + 1.5f, 0.5f + 2.5f, 9);
    }

    @Test
    void shouldMoveSeveralBatchesAsFarAsOneAfterTheOther() {
        float[] together = {0, 0, 1, 1, 1, 1, 0};
        float[] oneByOne = together.clone();
        float[] observed = {10, 20, 3, 5};
        STATE.mergeInto(together, observed, 4);
        for (int i = 0; i < 4; i++) {
            STATE.mergeInto(oneByOne, observed, 1);
        }
        for (int i = 0; i < together.length; i++) {
            assertThat(together[i]).isCloseTo(oneByOne[i], within(1e-5f));
        }
    }

    @Test
    void shouldForgetTheOldStateAfterVeryManyBatches() {
        float[] parameters = {0, 0, 1, 1, 1, 1, 0};
        STATE.mergeInto(parameters, new float[] {10, 20, 3, 5}, Long.MAX_VALUE);
        assertThat(parameters).containsExactly(0, 0, 10, 20, 3, 5, 0);
    }

    @Test
    void shouldDoNothingForANetworkWithoutState() {
        ObservedState none = ObservedState.of(LAYOUT, ParameterState.NONE);
        float[] gradient = {1, 2, 3, 4, 5, 6, 7};
        none.mergeInto(gradient, none.take(gradient), 1);
        assertThat(gradient).containsExactly(1, 2, 3, 4, 5, 6, 7);
    }
}
