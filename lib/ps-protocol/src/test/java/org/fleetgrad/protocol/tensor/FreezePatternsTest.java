package org.fleetgrad.protocol.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FreezePatternsTest {

    private static final TensorLayout LAYOUT = TensorLayout.canonical(List.of(
            TensorSpec.f32("bn1.bias", 2),
            TensorSpec.f32("bn1.running_mean", 2),
            TensorSpec.f32("bn1.running_var", 2),
            TensorSpec.f32("bn1.weight", 2),
            TensorSpec.f32("bn10.running_mean", 2),
            TensorSpec.f32("bn10.weight", 2),
            TensorSpec.f32("conv1.weight", 2, 1, 3, 3),
            TensorSpec.f32("fc.bias", 3),
            TensorSpec.f32("fc.weight", 3, 2)));

    private static final ParameterState STATE =
            ParameterState.of(List.of("bn1.running_mean", "bn1.running_var", "bn10.running_mean"), 0.1f);

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "fc.bias; fc.bias; true",
                "fc.bias; fc.bias2; false",
                "fc*; fc.bias; true",
                "*; anything; true",
                "*bias; fc.bias; true",
                "*bias; bias; true",
                "a*a; a; false",
                "a*a; aa; true",
                "layer*.conv1.*; layer1.0.conv1.weight; true",
                "layer*.conv1.*; layer1.0.conv2.weight; false",
                "*.0.*.0.*; layer1.0.x.0.weight; true",
                "*.0.*.0.*; layer1.0.weight; false",
                "a**b; ab; true",
                "*b*bc; abbc; true",
                "fc.[0-9]; fc.1; false"
            })
    void shouldMatchCompleteNamesWithStars(String pattern, String name, boolean isMatch) {
        assertThat(new TensorPattern(pattern).matches(name)).isEqualTo(isMatch);
    }

    @Test
    void shouldAnswerInTimeWhateverThePatternIs() {
        String pattern = "*a".repeat(2_000) + "b";
        assertThat(new TensorPattern(pattern).matches("a".repeat(20_000))).isFalse();
    }

    @Test
    void shouldFreezeTheStateOfALayerOfWhichAnyTensorIsFrozen() {
        assertThat(frozen("bn1.weight").names()).containsExactly("bn1.running_mean", "bn1.running_var", "bn1.weight");
        assertThat(frozen("bn1.running_mean").names()).containsExactly("bn1.running_mean", "bn1.running_var");
        assertThat(frozen("conv1.*,fc.bias").names()).containsExactly("conv1.weight", "fc.bias");
    }

    @Test
    void shouldLeaveTheOtherTensorsAndTheirStateToTrain() {
        FrozenTensors frozen = frozen("bn1.*, conv1.*");

        assertThat(frozen.trainable(LAYOUT).specs())
                .extracting(TensorSpec::name)
                .containsExactly("bn10.running_mean", "bn10.weight", "fc.bias", "fc.weight");
        assertThat(frozen.trainable(STATE).momenta()).containsOnlyKeys("bn10.running_mean");
        assertThat(frozen.has("conv1.weight[3:9]")).isTrue();
        assertThat(frozen.has("fc.weight[3:9]")).isFalse();
    }

    @Test
    void shouldTellTheNearestNamesWhenAPatternMatchesNone() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> frozen("conv1.*,bn2.*"))
                .withMessage(
                        "freeze: 'bn2.*' matches none of the 9 tensors: bn1.bias, bn1.running_mean, bn1.running_var, bn1.weight, bn10.running_mean, bn10.weight, conv1.weight, fc.bias, fc.weight");
        TensorLayout many = TensorLayout.canonical(IntStream.range(0, 40)
                .mapToObj(i -> TensorSpec.f32((i < 20 ? "a" : "b") + i, 1))
                .toList());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FreezePatterns.parse("b9*").in(many, ParameterState.NONE))
                .withMessageContaining(": b20, b21, ")
                .withMessageEndingWith(" and 28 others");
    }

    @Test
    void shouldRefuseToFreezeAllParameters() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> frozen("*.weight,*.bias"))
                .withMessage("freeze: '*.bias,*.weight' matches all 6 parameters: nothing is left to train");
    }

    @ParameterizedTest
    @ValueSource(strings = {",", "a,,b", "a b", "fc.*=1", "a,\n"})
    void shouldRefuseWhatIsNoPattern(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FreezePatterns.parse(text))
                .withMessageContaining("is no pattern of tensors' names");
    }

    @Test
    void shouldBeEqualWhenTheSettingsMeanTheSame() {
        assertThat(FreezePatterns.parse("b*, a,b*")).isEqualTo(FreezePatterns.parse("a,b*"));
        assertThat(FreezePatterns.parse("b*, a,b*")).hasToString("a,b*");
        assertThat(FreezePatterns.parse(" ")).isEqualTo(FreezePatterns.NONE);
        assertThat(FreezePatterns.NONE.in(LAYOUT, STATE)).isEqualTo(FrozenTensors.NONE);
    }

    private static FrozenTensors frozen(String text) {
        return FreezePatterns.parse(text).in(LAYOUT, STATE);
    }
}
