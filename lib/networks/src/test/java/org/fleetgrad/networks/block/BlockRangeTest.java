package org.fleetgrad.networks.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.layer.Layer.Flatten;
import org.fleetgrad.networks.layer.Linear;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.networks.layer.TiedLinear;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @Test
    void shouldGiveATiedTensorToTheFirstBlocksAndItsUseToTheLast() {
        NetworkDefinition gpt =
                Networks.usual("gpt2?context=6&dropout=0&heads=2&layers=1&tied=yes&vocabulary=11&width=8");
        TensorSpec tied = new TensorSpec("transformer.wte.weight", DType.F32, List.of(11L, 8L));

        BlockRange first = BlockRange.of(gpt, 0, 2);
        assertThat(first.lent()).hasValue(tied);
        assertThat(first.tied().size()).isZero();
        BlockRange last = BlockRange.of(gpt, 3, 4);
        assertThat(last.tied().specs()).containsExactly(tied);
        assertThat(last.parameters().size()).isZero();
        assertThat(last.lent()).isEmpty();
        assertThat(BlockRange.of(gpt, 1, 2).lent()).isEmpty();
        assertThat(BlockRange.whole(gpt).lent()).isEmpty();
        assertThat(BlockRange.whole(gpt).tied().size()).isZero();
    }

    /** Two tensors of others, one of a middle block, or a use that is not in the last block: nobody would send them. */
    @ParameterizedTest
    @CsvSource({
        "first.weight, second.weight, last, 2, 'to_second to to_last', '[first.weight, second.weight]'",
        "second.weight, second.weight, last, 2, 'to_second to to_last', [second.weight]",
        "first.weight, first.weight, middle, 3, 'to_last to to_last', [first.weight]"
    })
    void shouldRefuseAUseThatNoStageCanServe(
            String one, String other, String end, int from, String blocks, String tensors) {
        Sequential layers = Sequential.of("flatten", new Flatten())
                .then("first", Linear.standard(4, 4))
                .then("second", Linear.standard(4, 4))
                .then("to_second", new TiedLinear(one, 4, 4))
                .then("to_last", new TiedLinear(other, 4, 4));
        boolean isInTheMiddle = end.equals("middle");
        NetworkDefinition network = NetworkDefinition.of(
                NetworkName.parse("mine?classes=4&input=1x2x2"),
                isInTheMiddle ? layers.then("third", Linear.standard(4, 4)) : layers);

        assertThatThrownBy(() -> BlockRange.of(network, from, 4))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "blocks %s of mine?classes=4&input=1x2x2 use the tensors %s of other blocks: only a stage with the last block, %s, may use a tensor of another stage, and one tensor only, of the first block, first"
                                .formatted(blocks, tensors, isInTheMiddle ? "third" : "to_last"));
    }

    /** The tokens say what is padding, and go into the first stage only. */
    @Test
    void shouldNotCutANetworkThatLeavesOutPadding() {
        NetworkDefinition bert = Networks.usual("bert");

        assertThat(BlockRange.whole(bert).isLast()).isTrue();
        assertThatThrownBy(() -> BlockRange.of(bert, 1, bert.blocks().size()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("this network cannot be cut; train it with fleetgrad train");
    }

    private static TensorSet zeros(TensorSpec... specs) {
        TensorLayout layout = TensorLayout.inOrder(List.of(specs));
        return TensorSet.ofFloats(layout, new float[(int) layout.elementCount()], Map.of());
    }
}
