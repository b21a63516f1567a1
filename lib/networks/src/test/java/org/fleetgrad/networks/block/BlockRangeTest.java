package org.fleetgrad.networks.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Test;

/** A stage's part of a parameter set. */
class BlockRangeTest {

    private static final NetworkDefinition RESNET20 = Networks.usual("resnet20");

    @Test
    void shouldTakeItsOwnTensorsOfASetOfTheWholeNetwork() {
        TensorSet whole = TensorSet.ofFloats(RESNET20.spec().layout(), RESNET20.initialParameters(3), Map.of());

        BlockRange range = BlockRange.of(RESNET20, 7, 11);

        assertThat(range.parametersOf(whole)).isEqualTo(range.initialParameters(3));
        assertThat(range.stateOf(whole)).isEqualTo(range.initialState());
        assertThat(range.state().specs())
                .hasSize(12)
                .extracting(TensorSpec::name)
                .allSatisfy(tensor -> assertThat(tensor).startsWith("layer3."));
    }

    @Test
    void shouldNameTheTensorThatIsMissingOrDiffers() {
        BlockRange head = BlockRange.of(RESNET20, 10, 11);
        TensorSpec bias = new TensorSpec("fc.bias", DType.F32, List.of(10L));
        TensorSet without = zeros(bias);
        TensorSet other = zeros(bias, new TensorSpec("fc.weight", DType.F32, List.of(100L, 64L)));

        assertThatThrownBy(() -> head.parametersOf(without))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the blocks fc to fc of resnet20?classes=10&input=3x32x32 need the tensor 'fc.weight'; the parameter set has 1 tensors, and not this one");
        assertThatThrownBy(() -> head.parametersOf(other))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the blocks fc to fc of resnet20?classes=10&input=3x32x32 need the tensor 'fc.weight' as F32 [10, 64]; the parameter set has it as F32 [100, 64]");
    }

    private static TensorSet zeros(TensorSpec... specs) {
        TensorLayout layout = TensorLayout.inOrder(List.of(specs));
        return TensorSet.ofFloats(layout, new float[(int) layout.elementCount()], Map.of());
    }
}
