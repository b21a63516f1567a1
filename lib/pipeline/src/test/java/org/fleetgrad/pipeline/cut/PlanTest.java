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
import org.fleetgrad.pipeline.cure.GapPenalty;
import org.fleetgrad.pipeline.cure.Prediction;
import org.fleetgrad.pipeline.cut.InFlight.Weights;
import org.fleetgrad.pipeline.schedule.Schedule;
import org.fleetgrad.pipeline.schedule.ScheduleSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanTest {

    private static final NetworkDefinition LENET5 = Networks.usual("lenet5");

    /** ceil(d / se) + 1, the closed form of PipeDream's versions. */
    @ParameterizedTest
    @CsvSource({
        "0, 1, STASHED, 1, 1",
        "3, 1, STASHED, 4, 4",
        "3, 2, STASHED, 4, 3",
        "3, 3, STASHED, 4, 2",
        "3, 4, STASHED, 4, 2",
        "3, 1, LIVE, 4, 1",
        "3, 2, PREDICTED, 4, 5",
        "0, 1, PREDICTED, 1, 1"
    })
    void shouldHoldTheClosedFormOfVersions(int depth, int stepEvery, Weights weights, int microBatches, int versions) {
        assertThat(InFlight.asynchronous(depth, stepEvery, weights)).isEqualTo(new InFlight(microBatches, versions));
    }

    /** By hand, for one image: conv2 is 6x14x14 to 16x10x10, a ReLU, and a pooling to 16x5x5; fc1 is 400 to 120, a ReLU. */
    @Test
    void shouldCountTheMemoryOfAStage() {
        BlockRange middle = BlockRange.of(LENET5, 1, 3);
        long input = 4 * 6 * 14 * 14;
        // Kept: input of conv2, output of its ReLU with the pooling's 8 bytes a place, input and output of fc1's.
        long kept = input + 4 * 1600 + 8 * 400 + 4 * 400 + 4 * 120;
        long work = 2 * 4 * (1600 + 1600);
        long parameters = 4 * (16 * 6 * 25 + 16 + 400 * 120 + 120);

        StageMemory memory = StageMemory.of(middle, new StageMemory.Use(8, 2, false), new InFlight(3, 4));
        StageMemory recomputing = StageMemory.of(middle, new StageMemory.Use(8, 2, true), new InFlight(3, 4));

        assertThat(memory)
                .isEqualTo(new StageMemory(
                        2 * parameters,
                        3 * parameters,
                        2 * parameters,
                        3 * parameters,
                        8 * (3 * input + 3 * kept + work)));
        assertThat(memory.total()).isEqualTo(10 * parameters + 8 * (3 * input + 3 * kept + work));
        assertThat(recomputing.activations()).isEqualTo(8 * (3 * input + kept + work));
    }

    @Test
    void shouldWriteATable() {
        Cut cut = Cut.byHand(LENET5, List.of("conv2", "fc1"));
        BlockTimes times = new BlockTimes(List.of(.001, .002, .003, .004, .005), List.of(.01, .02, .03, .04, .05));
        Plan plan = Plan.of(
                cut,
                Optional.of(times),
                new StageMemory.Use(32, 1, true),
                depth -> InFlight.asynchronous(depth, 1, Weights.STASHED));

        List<String> lines = plan.text().lines().toList();

        assertThat(lines).hasSize(4);
        assertThat(lines.get(0))
                .matches(
                        "stage +blocks +ms +parameters +peak MiB +. weights +. gradients +. optimizer +. stashed +. activations");
        assertThat(lines.get(1)).matches("    0  conv1 +12\\.00 +156 .*");
        assertThat(lines.get(2)).matches("    1  conv2 +24\\.00 +2,416 .*");
        // The last stage does not recompute: 0.003 + 0.004 + 0.005 + 0.12 seconds.
        assertThat(lines.get(3)).matches("    2  fc1 to fc3 \\(3\\)  132\\.00 +59,134 .*");
        assertThat(lines).extracting(String::length).containsOnly(lines.get(0).length());
        assertThat(Plan.of(cut, Optional.empty(), new StageMemory.Use(1, 0, false), InFlight::drained)
                        .stages()
                        .get(0)
                        .seconds())
                .isEmpty();
    }

    @Test
    void shouldCountTheArraysOfOptimizerAndCures() {
        ScheduleSettings async = ScheduleSettings.of(Schedule.ASYNC_1F1B, 1);
        OptimizerSettings sgd = new SgdSettings(0.9f, 0, false, 0);
        Combination all = Combination.builder(async, sgd)
                .stash()
                .recompute()
                .predict(Prediction.of(WeightPrediction.Method.MSNAG))
                .penalizeGap(GapPenalty.customary())
                .build();

        assertThat(StageMemory.Use.of(all, 16)).isEqualTo(new StageMemory.Use(16, 4, true));
        assertThat(StageMemory.Use.of(
                        Combination.builder(async, new SgdSettings(0, 0, false, 0))
                                .build(),
                        16))
                .isEqualTo(new StageMemory.Use(16, 0, false));
        assertThat(StageMemory.Use.of(
                        Combination.builder(async, new AdamSettings(0.9f, 0.999f, 1e-8f, 0, true))
                                .build(),
                        16))
                .isEqualTo(new StageMemory.Use(16, 3, false));

        Cut cut = Cut.byHand(LENET5, List.of("conv2", "fc1"));
        long parameters = 4 * 2416;
        StageMemory memory =
                Plan.of(cut, Optional.empty(), all, 16).stages().get(1).memory();
        assertThat(memory)
                .isEqualTo(StageMemory.of(cut.stages().get(1), new StageMemory.Use(16, 4, true), new InFlight(2, 3)));
        assertThat(memory.optimizer()).isEqualTo(4 * parameters);
        assertThat(memory.stashed()).isEqualTo(2 * parameters);
        assertThat(Plan.bytes(LENET5, 3, all, 16).of(1, 1, 2)).isEqualTo((double) memory.total());
    }

    @Test
    void shouldCountRecomputationAsTimeButOnTheLastStage() {
        BlockTimes times = new BlockTimes(List.of(1.0, 2.0, 4.0), List.of(10.0, 20.0, 40.0));

        assertThat(times.cost(false).of(0, 0, 2)).isEqualTo(33);
        assertThat(times.cost(true).of(0, 0, 2)).isEqualTo(36);
        assertThat(times.cost(true).of(1, 2, 3)).isEqualTo(44);
        assertThatThrownBy(() -> new BlockTimes(List.of(1.0), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("1 blocks were timed forward, 0 backward");
    }
}
