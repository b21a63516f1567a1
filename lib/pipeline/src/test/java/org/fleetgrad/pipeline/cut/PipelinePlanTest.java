package org.fleetgrad.pipeline.cut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.optim.OptimizerSettings.AdamSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.optim.WeightPrediction;
import org.fleetgrad.pipeline.cure.Combination;
import org.fleetgrad.pipeline.cure.Combination.StagePrediction;
import org.fleetgrad.pipeline.cure.GapPenalty;
import org.fleetgrad.pipeline.schedule.PipelineSchedule;
import org.fleetgrad.pipeline.schedule.PipelineScheduleSettings;
import org.fleetgrad.pipeline.schedule.StagePlace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PipelinePlanTest {

    private static final NetworkDefinition LENET5 = Networks.usual("lenet5");

    /** ceil(d / se) + 1, the closed form of PipeDream's versions. */
    @ParameterizedTest
    @CsvSource({
        "0, 1, true, false, 1, 1",
        "3, 1, true, false, 4, 4",
        "3, 2, true, false, 4, 3",
        "3, 3, true, false, 4, 2",
        "3, 4, true, false, 4, 2",
        "3, 1, false, false, 4, 1",
        "3, 2, false, true, 4, 4",
        "0, 1, false, true, 1, 1"
    })
    void shouldHoldTheClosedFormOfVersions(
            int depth, int stepEvery, boolean isStashing, boolean isPredicting, int microBatches, int versions) {
        Combination.Builder builder = Combination.builder(
                PipelineScheduleSettings.of(PipelineSchedule.ASYNC_1F1B, stepEvery),
                new SgdSettings(0.9f, 0, false, 0));
        if (isStashing) {
            builder.stash();
        }
        if (isPredicting) {
            builder.predict(StagePrediction.of(WeightPrediction.Method.MSNAG));
        }

        StageMemory.Use use = StageMemory.Use.of(builder.build(), new StagePlace(4, 3 - depth), 8, 0);

        assertThat(use.microBatches()).isEqualTo(microBatches);
        assertThat(use.versions()).isEqualTo(versions);
    }

    /** By hand, for one image: conv2 is 6x14x14 to 16x10x10, a ReLU, and a pooling to 16x5x5; fc1 is 400 to 120, a ReLU. */
    @Test
    void shouldCountTheMemoryOfAStage() {
        BlockRange middle = BlockRange.of(LENET5, 1, 3);
        long input = 4 * 6 * 14 * 14;
        // Kept: input of conv2, output of its ReLU with the pooling's 8 bytes a place, input and output of fc1's.
        long output = 4 * 120;
        long kept = input + 4 * 1600 + 8 * 400 + 4 * 400 + 4 * 120 + output;
        long work = 2 * 4 * (1600 + 1600);
        long parameters = 4 * (16 * 6 * 25 + 16 + 400 * 120 + 120);
        long forms = 2 * 4 * 400 * 120;

        StageMemory memory = StageMemory.of(middle, new StageMemory.Use(8, 3, 4, 2, false, 1000, 2));
        StageMemory recomputing = StageMemory.of(middle, new StageMemory.Use(8, 3, 4, 2, true, 1000, 2));

        // Of each kind of frame 4 come and 3 leave.
        long frames = 8 * (7 * input + 7 * output);
        assertThat(memory)
                .isEqualTo(new StageMemory(
                        memory.program(),
                        2 * parameters,
                        2 * parameters,
                        2 * parameters,
                        3 * parameters,
                        8 * (3 * kept + work) + forms,
                        frames));
        assertThat(memory.total())
                .isEqualTo(memory.program() + 9 * parameters + 8 * (3 * kept + work) + forms + frames);
        assertThat(recomputing.activations()).isEqualTo(8 * (kept + work) + forms);
        assertThat(recomputing.frames()).isEqualTo(frames + 8 * 3 * input);
        // Parameters, gradient and the optimizer's arrays: what lies in the heap, beside the program's own.
        StageMemory larger = StageMemory.of(middle, new StageMemory.Use(8, 1, 1, 3, false, 1000, 2));
        assertThat(memory.heap()).isEqualTo(24 * 1024 * 1024 + 4 * parameters + frames);
        assertThat(larger.heap()).isEqualTo(memory.heap() + parameters);
    }

    /** GPT-2's embedding of 11 tokens by 8 features is the first stage's; the last one, without tensors of its own, has a copy. */
    @Test
    void shouldCountATiedTensorWhereItIsAndItsCopyWhereItIsUsed() {
        String sizes = "gpt2?context=6&dropout=0&heads=2&layers=2&vocabulary=11&width=8&tied=";
        BlockRange first = BlockRange.of(Networks.usual(sizes + "yes"), 0, 1);
        BlockRange untied = BlockRange.of(Networks.usual(sizes + "no"), 0, 1);
        BlockRange last = BlockRange.of(Networks.usual(sizes + "yes"), 5, 6);
        StageMemory.Use use = new StageMemory.Use(8, 1, 1, 2, false, 0, 4);
        long tied = 4 * 11 * 8;

        StageMemory lending = StageMemory.of(first, use);
        StageMemory alone = StageMemory.of(untied, use);
        assertThat(lending.frames() - alone.frames()).isEqualTo((4 + 2 + 3) * tied);
        assertThat(lending.total() - alone.total()).isEqualTo((4 + 2 + 3) * tied);

        StageMemory borrowing = StageMemory.of(last, use);
        assertThat(borrowing.weights() + borrowing.gradients() + borrowing.optimizer())
                .isZero();
        assertThat(borrowing.stashed()).isEqualTo(2 * tied);
        assertThat(borrowing.frames()).isEqualTo(8 * 7 * 4 * (6 * 8) + (4 + 2 + 3) * tied);
    }

    @ParameterizedTest
    @CsvSource({
        "SEQUENTIAL, 1, 1",
        "GPIPE, 2, 2",
        "GPIPE, 8, 4",
        "SYNC_1F1B, 3, 3",
        "ASYNC_1F1B, 1, 4",
        "PIPEDREAM, 8, 4",
        "VIRTUAL_1F1B, 1, 3"
    })
    void shouldBoundTheWaitingFramesOfATiedTensor(PipelineSchedule schedule, int stepEvery, int frames) {
        assertThat(PipelineScheduleSettings.of(schedule, stepEvery).tiedFrames(4))
                .isEqualTo(frames);
    }

    /** The first stage reads images and the last one labels, from the same shards. */
    @Test
    void shouldCountTheShardWhereItIsRead() {
        Cut cut = Cut.byHand(LENET5, List.of("conv2", "fc1"));
        for (int stage = 0; stage < 3; stage++) {
            BlockRange range = cut.stages().get(stage);
            long without = StageMemory.of(range, new StageMemory.Use(8, 1, 1, 0, false, 0, 2))
                    .frames();
            long with = StageMemory.of(range, new StageMemory.Use(8, 1, 1, 0, false, 1000, 2))
                    .frames();
            assertThat(with - without).isEqualTo(stage == 1 ? 0 : 2000);
        }
    }

    @Test
    void shouldWriteATable() {
        Cut cut = Cut.byHand(LENET5, List.of("conv2", "fc1"));
        BlockTimes times = new BlockTimes(
                        List.of(.001, .002, .003, .004, .005),
                        List.of(.01, .02, .03, .04, .05),
                        List.of(.1, .2, .3, .4, .5))
                .withStepEvery(100);
        Combination combination = Combination.builder(
                        PipelineScheduleSettings.of(PipelineSchedule.ASYNC_1F1B, 1), new SgdSettings(0.9f, 0, false, 0))
                .stash()
                .recompute()
                .build();
        PipelinePlan plan = PipelinePlan.of(cut, Optional.of(times), combination, 32, 0);

        List<String> lines = plan.text().lines().toList();

        assertThat(lines).hasSize(4);
        assertThat(lines.get(0))
                .matches(
                        "stage +blocks +ms +parameters +peak MiB +. program +. weights +. gradients +. optimizer +. stashed +. activations +. frames");
        assertThat(lines.get(1)).matches("    0  conv1 +13\\.00 +156 .*");
        assertThat(lines.get(2)).matches("    1  conv2 +26\\.00 +2,416 .*");
        // The last stage does not recompute: 0.012 + 0.12 + 1.2 / 100 seconds.
        assertThat(lines.get(3)).matches("    2  fc1 to fc3 \\(3\\)  144\\.00 +59,134 .*");
        assertThat(lines).extracting(String::length).containsOnly(lines.get(0).length());
        assertThat(PipelinePlan.of(cut, Optional.empty(), combination, 1, 0)
                        .stages()
                        .get(0)
                        .seconds())
                .isEmpty();
    }

    @Test
    void shouldCountTheArraysOfOptimizerAndCures() {
        PipelineScheduleSettings async = PipelineScheduleSettings.of(PipelineSchedule.ASYNC_1F1B, 1);
        OptimizerSettings sgd = new SgdSettings(0.9f, 0, false, 0);
        Combination all = Combination.builder(async, sgd)
                .stash()
                .recompute()
                .predict(StagePrediction.of(WeightPrediction.Method.MSNAG))
                .penalizeGap(GapPenalty.customary())
                .build();

        StagePlace middle = new StagePlace(3, 1);
        StagePlace last = new StagePlace(3, 2);
        // The momentum, the penalty's mean, and one array for the prediction and for the weights of the gap.
        assertThat(arrays(all, middle)).isEqualTo(3);
        assertThat(arrays(all, last)).isEqualTo(1);
        assertThat(arrays(
                        Combination.builder(async, new SgdSettings(0, 0, false, 0))
                                .build(),
                        middle))
                .isZero();
        assertThat(arrays(
                        Combination.builder(async, new AdamSettings(0.9f, 0.999f, 1e-8f, 0, true))
                                .build(),
                        middle))
                .isEqualTo(3);

        Cut cut = Cut.byHand(LENET5, List.of("conv2", "fc1"));
        long parameters = 4 * 2416;
        StageMemory memory = PipelinePlan.of(cut, Optional.empty(), all, 16, 0)
                .stages()
                .get(1)
                .memory();
        assertThat(memory).isEqualTo(StageMemory.of(cut.stages().get(1), new StageMemory.Use(16, 2, 2, 3, true, 0, 2)));
        assertThat(memory.optimizer()).isEqualTo(3 * parameters);
        assertThat(memory.stashed()).isEqualTo(parameters);
        assertThat(PipelinePlan.bytes(LENET5, 3, all, 16, 0).of(1, 1, 2)).isEqualTo((double) memory.total());
    }

    private static int arrays(Combination combination, StagePlace place) {
        return StageMemory.Use.of(combination, place, 1, 0).optimizerArrays();
    }

    @Test
    void shouldCountStepsAsTimeAndRecomputationButOnTheLastStage() {
        BlockTimes times =
                new BlockTimes(List.of(1.0, 2.0, 4.0), List.of(10.0, 20.0, 40.0), List.of(100.0, 200.0, 400.0));

        assertThat(times.cost(false).of(0, 0, 2)).isEqualTo(333);
        assertThat(times.cost(true).of(0, 0, 2)).isEqualTo(336);
        assertThat(times.cost(true).of(1, 2, 3)).isEqualTo(444);
        assertThat(times.withStepEvery(4).cost(true).of(1, 2, 3)).isEqualTo(144);
        assertThatThrownBy(() -> new BlockTimes(List.of(1.0), List.of(), List.of(1.0, 2.0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("1 blocks were timed forward, 0 backward, 2 in their step");
    }
}
