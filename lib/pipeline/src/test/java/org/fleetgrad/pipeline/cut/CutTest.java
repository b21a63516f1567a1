package org.fleetgrad.pipeline.cut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.block.Block;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.cut.BlockTimes.StageCost;
import org.fleetgrad.pipeline.schedule.PipelineSchedule;
import org.fleetgrad.pipeline.schedule.PipelineScheduleSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CutTest {

    private static final NetworkDefinition LENET5 = Networks.usual("lenet5");

    @ParameterizedTest
    @CsvSource({
        "2, '9 1 1 1 1', conv2",
        "2, '1 1 1 1 9', fc3",
        "2, '1 1 1 1 1', 'fc1'",
        "3, '1 5 1 5 1', 'fc1,fc2'",
        "5, '1 1 1 1 1', 'conv2,fc1,fc2,fc3'",
        "1, '1 1 1 1 1', ''"
    })
    void shouldMakeTheDearestStageAsCheapAsItCanBe(int stages, String costs, String firsts) {
        double[] blocks = Arrays.stream(costs.split(" ", -1))
                .mapToDouble(Double::parseDouble)
                .toArray();

        Cut cut = Cut.balanced(LENET5, stages, sum(blocks));

        assertThat(cut.stages()).hasSize(stages);
        assertThat(worst(cut, blocks)).isEqualTo(worst(firsts.isEmpty() ? cut : hand(firsts), blocks));
        assertThat(cut.stages().stream()
                        .flatMap(stage -> stage.blocks().stream())
                        .toList())
                .isEqualTo(LENET5.blocks());
    }

    /** The sum of the costs of the blocks, wherever the stage is. */
    static StageCost sum(double[] blocks) {
        return (stage, from, to) -> Arrays.stream(blocks, from, to).sum();
    }

    private static Cut hand(String firsts) {
        return Cut.byHand(LENET5, List.of(firsts.split(",", -1)));
    }

    private static double worst(Cut cut, double[] blocks) {
        return cut.stages().stream()
                .mapToDouble(stage -> sum(blocks).of(0, stage.from(), stage.to()))
                .max()
                .orElseThrow();
    }

    @Test
    void shouldCutBeforeTheNamedBlocks() {
        Cut cut = Cut.byHand(Networks.usual("resnet20"), List.of("layer2.0", "fc"));

        assertThat(cut.stages())
                .extracting(stage -> stage.blocks().get(0).name())
                .containsExactly("conv1", "layer2.0", "fc");
        assertThat(cut.text()).isEqualTo("layer2.0,fc");
        assertThat(cut.stages().get(2).blocks()).extracting(Block::name).containsExactly("fc");
        assertThat(cut.stages().get(0).isLast()).isFalse();
        assertThat(cut.stages().get(2).isLast()).isTrue();
    }

    @Test
    void shouldRefuseMoreStagesThanBlocksWithBothNumbers() {
        String message =
                "lenet5?classes=10&input=1x28x28 has 5 blocks and cannot be cut into 6 stages; write a number from 1 to 5";
        assertThatThrownBy(() -> Cut.balanced(LENET5, 6, sum(new double[5])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
        assertThatThrownBy(() -> Cut.byHand(LENET5, List.of("conv2", "fc1", "fc2", "fc3", "fc3")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "conv3|lenet5?classes=10&input=1x28x28 has no block 'conv3' to cut before; its blocks are conv1, conv2, fc1, fc2, fc3",
                "conv1|a cut before 'conv1', the first block, leaves no block for the first stage; write one of conv2, fc1, fc2, fc3",
                "fc1,conv2|the cuts must be in the order of the network, each block once: 'conv2' does not come after 'fc1'; the blocks are conv1, conv2, fc1, fc2, fc3",
                "fc1,fc1|the cuts must be in the order of the network, each block once: 'fc1' does not come after 'fc1'; the blocks are conv1, conv2, fc1, fc2, fc3"
            })
    void shouldSayWhereACutCanBe(String firsts, String message) {
        assertThatThrownBy(() -> hand(firsts))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void shouldBalanceByTheMemoryThatEachStageWouldHave() {
        NetworkDefinition network = Networks.usual("vgg11_bn?classes=10&head=cifar&input=3x32x32");
        Combination stashing = Combination.builder(
                        PipelineScheduleSettings.of(PipelineSchedule.ASYNC_1F1B, 1), new SgdSettings(0.9f, 0, false, 0))
                .stash()
                .build();
        StageCost cost = PipelinePlan.bytes(network, 3, stashing, 16, 0);

        Cut cut = Cut.balanced(network, 3, cost);

        double dearest = dearest(cut, cost);
        for (int second = 1; second < 10; second++) {
            for (int third = second + 1; third < 11; third++) {
                Cut other = new Cut(List.of(
                        BlockRange.of(network, 0, second),
                        BlockRange.of(network, second, third),
                        BlockRange.of(network, third, 11)));
                assertThat(dearest(other, cost)).isGreaterThanOrEqualTo(dearest);
            }
        }
    }

    private static double dearest(Cut cut, StageCost cost) {
        double dearest = 0;
        for (int i = 0; i < cut.stages().size(); i++) {
            BlockRange stage = cut.stages().get(i);
            dearest = Math.max(dearest, cost.of(i, stage.from(), stage.to()));
        }
        return dearest;
    }
}
