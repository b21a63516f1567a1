package org.fleetgrad.protocol.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RatePatternsTest {

    private static final TensorLayout LAYOUT = TensorLayout.canonical(List.of(
            TensorSpec.f32("bn.running_mean", 2), TensorSpec.f32("conv.weight", 2), TensorSpec.f32("fc.weight", 2)));
    private static final ParameterState STATE = ParameterState.of(List.of("bn.running_mean"), 0.1f);

    @Test
    void shouldTakeTheFirstPatternThatMatches() {
        RatePatterns rates = RatePatterns.parse("fc.bias=2, fc.*=10,*=0.1");

        assertThat(rates.of("fc.bias")).isEqualTo(2);
        assertThat(rates.of("fc.weight")).isEqualTo(10);
        assertThat(rates.of("fc.weight[3:7]")).isEqualTo(10);
        assertThat(rates.of("conv.weight")).isEqualTo(0.1);
        assertThat(RatePatterns.parse("fc.*=10").of("conv.weight")).isEqualTo(1);
        assertThat(rates).hasToString("fc.bias=2.0,fc.*=10.0,*=0.1");
        assertThat(RatePatterns.parse(rates.toString())).isEqualTo(rates);
        assertThat(RatePatterns.parse("")).isEqualTo(RatePatterns.NONE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "fc.*           | 'fc.*' is no pattern with a factor: write them such as 'fc.*=10,conv1.*=0.1'",
                "fc.*=ten       | 'fc.*=ten' is no pattern with a factor: write them such as 'fc.*=10,conv1.*=0.1'",
                "fc.*=NaN       | 'fc.*=NaN' is no pattern with a factor: write them such as 'fc.*=10,conv1.*=0.1'",
                "fc.*=Infinity  | 'fc.*=Infinity' is no pattern with a factor: write them such as 'fc.*=10,conv1.*=0.1'",
                "a=1,fc.*=-2    | 'fc.*=-2' has a negative factor: a learning rate is above 0",
                "fc.*=0.0       | 'fc.*=0.0' has the factor 0, with which these tensors would be sent for nothing: freeze them (--freeze, ps.freeze)",
                "=3             | '' is no pattern of tensors' names: write one such as 'layer1.*', with commas between several"
            })
    void shouldRefuseWhatIsNoFactor(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RatePatterns.parse(text))
                .withMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fc.*=2,c*=3 |",
                "head.*=2    | rate-for: 'head.*' matches none of the 3 tensors: bn.running_mean, conv.weight, fc.weight",
                "bn.*=2      | rate-for: 'bn.*' matches only tensors that no step changes: they are frozen, or state of the network",
            })
    void shouldRefuseAPatternWithoutATensorThatIsTrained(String text, String message) {
        RatePatterns rates = RatePatterns.parse(text);
        if (message == null) {
            rates.requireMatches(LAYOUT, FrozenTensors.NONE, STATE);
            FrozenTensors frozen = FreezePatterns.parse("conv*").in(LAYOUT, STATE);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> rates.requireMatches(LAYOUT, frozen, STATE))
                    .withMessageStartingWith("rate-for: 'c*' matches only tensors that no step changes");
        } else {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> rates.requireMatches(LAYOUT, FrozenTensors.NONE, STATE))
                    .withMessage(message);
        }
    }
}
