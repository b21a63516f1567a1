package org.fleetgrad.protocol.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParameterStateTest {

    private static final ParameterState STATE =
            new ParameterState(new TreeMap<>(Map.of("bn1.running_mean", 0.1f, "bn1.running_var", 1e-3f, "a b", 1f)));

    @Test
    void shouldReadTheStateThatItWrote() {
        assertThat(ParameterState.in(Map.of(ParameterState.KEY, STATE.text()))).isEqualTo(STATE);
    }

    @Test
    void shouldFindNoStateInMetadataWithoutTheKey() {
        assertThat(ParameterState.in(Map.of("network", "lenet5"))).isEqualTo(ParameterState.NONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bn1.running_mean",
                "x bn1",
                "0.1 ",
                "0 bn1",
                "1.5 bn1",
                "NaN bn1",
                "1e999999999 a",
                "0.1 a\n0.1 a",
                "0.1 a\n\n"
            })
    void shouldRefuseMetadataThatNameNoState(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> ParameterState.in(Map.of(ParameterState.KEY, text)));
    }

    @Test
    void shouldKeepOnlyTheTensorsOfAPartition() {
        TensorLayout part = TensorLayout.canonical(List.of(TensorSpec.f32("bn1.running_var", 3)));
        assertThat(STATE.within(part).momenta()).containsOnlyKeys("bn1.running_var");
    }

    @Test
    void shouldKnowThePieceOfATensorThatAPartitionHas() {
        TensorLayout part = TensorLayout.canonical(
                List.of(TensorSpec.f32("bn1.running_var[16:20]", 4), TensorSpec.f32("bn1.weight[0:3]", 3)));
        assertThat(STATE.within(part).momenta()).containsOnly(Map.entry("bn1.running_var[16:20]", 1e-3f));
        assertThat(STATE.has("bn1.running_var[x]")).isFalse();
    }

    @Test
    void shouldNameTheTensorWhoseStateDiffers() {
        ParameterState other = ParameterState.of(List.of("bn1.running_mean", "a b"), 0.1f);
        assertThat(STATE.firstDifference(STATE)).isEmpty();
        assertThat(STATE.firstDifference(other).orElseThrow().message())
                .isEqualTo("tensor 'a b' is state with momentum 0.1, the parameter set has 1.0");
        assertThat(STATE.firstDifference(ParameterState.NONE).orElseThrow().tensor())
                .isEqualTo("a b");
        assertThat(ParameterState.NONE.firstDifference(STATE).orElseThrow().message())
                .contains("'a b' is declared as state");
    }
}
