package org.fleetgrad.pipeline.cut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.optim.OptimizerSettings;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.stage.MicroBatch;
import org.fleetgrad.pipeline.stage.StageNetwork;
import org.fleetgrad.pipeline.stage.StageNetwork.Graph;
import org.fleetgrad.pipeline.stage.StageNetwork.StageActivation;
import org.fleetgrad.pipeline.stage.StageNetwork.WeightSlot;
import org.junit.jupiter.api.Test;

class BlockProfilerTest {

    private static final OptimizerSettings MOMENTUM = new SgdSettings(0.9f, 0, false, 0);

    private static final Duration LONG = Duration.ofHours(1);

    private long now;
    private final List<Integer> progress = new ArrayList<>();
    private final List<String> opened = new ArrayList<>();
    private final List<String> freed = new ArrayList<>();

    @Test
    void shouldTakeTheMedianOfEachBlockWithoutTheFirstPass() {
        BlockTimes times = profiler(LONG).measure(Networks.usual("lenet5"), 4, 3, MOMENTUM);

        // Passes take 1000 (not counted), 1, 2, 9 times the stage's number; backward ten times as long. What a step
        // does
        // with the network takes 90 times as long.
        assertThat(times.forward()).containsExactly(2e-9, 4e-9, 6e-9, 8e-9, 10e-9);
        assertThat(times.backward()).containsExactly(20e-9, 40e-9, 60e-9, 80e-9, 100e-9);
        assertThat(times.step()).containsExactly(180e-9, 360e-9, 540e-9, 720e-9, 900e-9);
        assertThat(opened).containsExactly("conv1", "conv2", "fc1", "fc2", "fc3");
        assertThat(freed).isEqualTo(opened);
    }

    @Test
    void shouldTakeTheMeanOfTheTwoInTheMiddle() {
        BlockTimes times = profiler(LONG).measure(Networks.usual("lenet5"), 1, 2, MOMENTUM);

        assertThat(times.forward().get(0)).isEqualTo(1.5e-9);
    }

    /** Warm-up and two passes take 101,303, the third one 909: after it the limit of the first block has passed. */
    @Test
    void shouldMeasureLessWhenTheTimeIsUpButEachBlockOnce() {
        BlockTimes times = profiler(Duration.ofNanos(5 * 101_302)).measure(Networks.usual("lenet5"), 4, 3, MOMENTUM);

        assertThat(times.forward()).containsExactly(1.5e-9, 2e-9, 3e-9, 4e-9, 5e-9);
        assertThat(progress).containsExactly(1, 2, 3, 4, 5);
    }

    private BlockProfiler profiler(Duration limit) {
        return new BlockProfiler(Timed::new, () -> now, limit, progress::add);
    }

    @Test
    void shouldRefuseToMeasureNothing() {
        assertThatThrownBy(() -> profiler(LONG).measure(Networks.usual("lenet5"), 4, 0, MOMENTUM))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("blocks are timed with 1 or more samples, 1 or more times; they are 4 and 0");
    }

    /** A stage whose passes advance the clock, and compute nothing. */
    private final class Timed implements StageNetwork {

        private static final long[] FACTORS = {1000, 1, 2, 9};

        private final BlockRange range;
        private int pass;

        Timed(BlockRange range) {
            this.range = range;
            opened.add(range.blocks().get(0).name());
        }

        @Override
        public boolean isLast() {
            return range.isLast();
        }

        @Override
        public int parameterCount() {
            return (int) range.parameters().elementCount();
        }

        @Override
        public int stateCount() {
            return 0;
        }

        @Override
        public WeightSlot allocate(float[] values) {
            assertThat(values).hasSize(parameterCount());
            return new WeightSlot() {
                @Override
                public void set(float[] others) {
                    assertThat(others).hasSize(parameterCount());
                    takeAThirdOfAStep();
                    pass++;
                }

                @Override
                public void get(float[] target) {
                    throw new UnsupportedOperationException();
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public StageActivation forward(WeightSlot weights, MicroBatch batch, Frame input, Graph keep) {
            assertThat(input.shape().get(0)).isEqualTo((long) batch.targets().length);
            assertThat(keep).isEqualTo(Graph.RETAINED);
            now += FACTORS[pass] * (range.from() + 1);
            return new StageActivation() {
                @Override
                public Frame output() {
                    throw new UnsupportedOperationException();
                }

                @Override
                public float loss() {
                    throw new UnsupportedOperationException();
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public StageActivation recompute(WeightSlot weights, MicroBatch batch, Frame input) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<Frame> backward(StageActivation activation, Frame outputGradient) {
            assertThat(isLast()).isFalse();
            now += 10 * FACTORS[pass] * (range.from() + 1);
            return Optional.empty();
        }

        @Override
        public Optional<Frame> backwardFromLoss(StageActivation activation, float factor) {
            assertThat(isLast()).isTrue();
            now += 10 * FACTORS[pass] * (range.from() + 1);
            return Optional.empty();
        }

        @Override
        public float[] gradient() {
            takeAThirdOfAStep();
            return new float[parameterCount()];
        }

        @Override
        public void clearGradient() {
            takeAThirdOfAStep();
        }

        private void takeAThirdOfAStep() {
            now += 30 * FACTORS[pass] * (range.from() + 1);
        }

        @Override
        public void readState(float[] target) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void writeState(float[] values) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            freed.add(range.blocks().get(0).name());
        }
    }
}
