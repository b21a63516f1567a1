package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.optim.OptimizerSettings.SgdSettings;
import org.fleetgrad.pipeline.cut.BlockProfiler;
import org.fleetgrad.pipeline.cut.BlockTimes;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.stage.MicroBatch;
import org.fleetgrad.pipeline.stage.StageNetwork;
import org.fleetgrad.pipeline.stage.StageNetwork.Graph;
import org.fleetgrad.pipeline.stage.StageNetwork.StageActivation;
import org.fleetgrad.pipeline.stage.StageNetwork.WeightSlot;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Joined stages, against the complete network; other tests compare the complete network with PyTorch. */
@Tag("kernels")
class StageTest {

    private static final String VGG = "vgg11_bn?classes=10&head=cifar&input=3x32x32";
    private static final String GPT = "gpt2?context=6&dropout=0.2&heads=2&layers=2&tied=no&vocabulary=11&width=8";
    private static final float SMOOTHING = 0.1f;

    @ParameterizedTest
    @CsvSource({
        "lenet5, 1",
        "lenet5, 2",
        "lenet5, 4",
        "mnist-cnn, 1",
        "mnist-cnn, 2",
        "mnist-cnn, 4",
        "resnet20, 1",
        "resnet20, 2",
        "resnet20, 4",
        VGG + ", 2",
        VGG + ", 4",
        GPT + ", 2",
        GPT + ", 4"
    })
    void shouldComputeTheBitsOfTheWholeNetwork(String name, int count) {
        NetworkDefinition network = Networks.usual(name);
        TestBatch first = TestBatch.random(network.spec(), 4, 1);
        TestBatch second = TestBatch.random(network.spec(), 4, 2);
        try (LibtorchNetwork whole = Libtorch.instance(network, Device.CPU);
                StageChain chain = new StageChain(network, count, 3, SMOOTHING)) {
            TestBatch.load(whole, network.initialParameters(3));
            float firstLoss = whole.accumulate(first.images(), first.labels(), 4, 7, SMOOTHING);
            float secondLoss = whole.accumulate(second.images(), second.labels(), 4, 8, SMOOTHING);
            float[] expected = TestBatch.drain(whole, 1);

            chain.clearState();
            // Both forward before one goes backward, as in a pipeline.
            StageChain.Passed one = chain.forward(first, 0, 7, Graph.RETAINED);
            StageChain.Passed two = chain.forward(second, 1, 8, Graph.RETAINED);
            chain.backward(one);
            chain.backward(two);

            assertThat(one.loss()).isEqualTo(firstLoss);
            assertThat(two.loss()).isEqualTo(secondLoss);
            assertThat(chain.drained(2)).isEqualTo(expected);
        }
    }

    /** T25: the same masks, and the statistics of a micro-batch are observed once. */
    @ParameterizedTest
    @CsvSource({"lenet5", "mnist-cnn", "resnet20", VGG, GPT})
    void shouldRepeatTheBitsWhenItRecomputes(String name) {
        NetworkDefinition network = Networks.usual(name);
        TestBatch batch = TestBatch.random(network.spec(), 4, 1);
        try (StageChain kept = new StageChain(network, 2, 3, 0);
                StageChain dropped = new StageChain(network, 2, 3, 0)) {
            StageChain.Passed once = kept.forward(batch, 0, 7, Graph.RETAINED);
            kept.backward(once);

            StageChain.Passed forward = dropped.forward(batch, 0, 7, Graph.DISCARDED);
            StageChain.Passed again = dropped.recompute(forward);
            dropped.backward(again);

            assertThat(forward.loss()).isEqualTo(once.loss());
            assertThat(again.loss()).isEqualTo(once.loss());
            assertThat(dropped.gradientAndState()).isEqualTo(kept.gradientAndState());
        }
    }

    @Test
    void shouldAdvanceTheStateOnceForEachMicroBatch() {
        NetworkDefinition network = Networks.usual("resnet20");
        TestBatch batch = TestBatch.random(network.spec(), 4, 1);
        try (StageChain chain = new StageChain(network, 1, 3, 0)) {
            float[] before = state(chain);
            StageChain.Passed first = chain.forward(batch, 0, 7, Graph.DISCARDED);
            float[] after = state(chain);
            assertThat(after).isNotEqualTo(before);
            chain.backward(chain.recompute(first));
            assertThat(state(chain)).isEqualTo(after);

            chain.forward(batch, 1, 7, Graph.DISCARDED);
            assertThat(state(chain)).isNotEqualTo(after);
        }
    }

    private static float[] state(StageChain chain) {
        float[] state = new float[chain.stage(0).stateCount()];
        chain.stage(0).readState(state);
        return state;
    }

    @Test
    void shouldHoldTheParametersAndTheStateThatItIsGiven() {
        BlockRange range = BlockRange.of(Networks.usual("resnet20"), 4, 8);
        try (StageNetwork stage = Libtorch.stage(range, 0)) {
            WeightSlot slot = stage.allocate(range.initialParameters(9));
            float[] values = new float[stage.parameterCount()];
            slot.get(values);
            assertThat(values).isEqualTo(range.initialParameters(9));

            float[] read = new float[stage.stateCount()];
            stage.readState(read);
            assertThat(read).isEqualTo(range.initialState());
            for (int i = 0; i < read.length; i++) {
                read[i] = i;
            }
            stage.writeState(read);
            float[] again = new float[read.length];
            stage.readState(again);
            assertThat(again).isEqualTo(read);
        }
    }

    @Test
    void shouldCountWhatItHasRight() {
        NetworkDefinition network = Networks.usual("lenet5");
        TestBatch batch = TestBatch.random(network.spec(), 64, 1);
        try (LibtorchNetwork whole = Libtorch.instance(network, Device.CPU);
                StageChain chain = new StageChain(network, 2, 3, 0)) {
            TestBatch.load(whole, network.initialParameters(3));
            float[] logits = whole.logits(batch.images(), 64);
            int correct = 0;
            for (int i = 0; i < 64; i++) {
                float[] row = Arrays.copyOfRange(logits, 10 * i, 10 * i + 10);
                float[] sorted = row.clone();
                Arrays.sort(sorted);
                correct += row[(int) batch.labels()[i]] == sorted[9] ? 1 : 0;
            }
            StageChain.Passed passed = chain.forward(batch, 0, 0, Graph.DISCARDED);

            assertThat(correct).isBetween(1, 63);
            assertThat(passed.activations().get(1).correct()).hasValue(correct);
            assertThat(passed.activations().get(0).correct()).isEmpty();
        }
    }

    /** The gradient of a share of the loss, as a step over several micro-batches takes it. */
    @Test
    void shouldScaleTheGradientOfTheLoss() {
        NetworkDefinition network = Networks.usual("lenet5");
        TestBatch batch = TestBatch.random(network.spec(), 4, 1);
        try (StageChain chain = new StageChain(network, 1, 3, 0)) {
            chain.backward(chain.forward(batch, 0, 0, Graph.RETAINED));
            float[] whole = chain.gradientAndState();
            chain.stage(0).clearGradient();
            assertThat(chain.gradientAndState()).containsOnly(0);

            StageActivation again =
                    chain.forward(batch, 0, 0, Graph.RETAINED).activations().get(0);
            assertThat(chain.stage(0).backwardFromLoss(again, 0.25f)).isEqualTo(Optional.empty());
            float[] quarter = chain.gradientAndState();
            // A power of two scales every rounding.
            for (int i = 0; i < whole.length; i++) {
                whole[i] *= 0.25f;
            }
            assertThat(quarter).isEqualTo(whole);
        }
    }

    @ParameterizedTest
    @CsvSource({"lenet5, 5", "resnet20, 11", VGG + ", 11"})
    void shouldBeTimedBlockByBlock(String name, int blocks) {
        AtomicLong nanos = new AtomicLong();
        BlockTimes times = new BlockProfiler(range -> Libtorch.stage(range, 0), () -> nanos.addAndGet(1000))
                .measure(Networks.usual(name), 8, 3, new SgdSettings(0.9f, 0, false, 0));

        assertThat(times.forward())
                .hasSize(blocks)
                .allSatisfy(seconds -> assertThat(seconds).isPositive());
        assertThat(times.backward()).allSatisfy(seconds -> assertThat(seconds).isPositive());
        assertThat(times.step())
                .hasSize(blocks)
                .allSatisfy(seconds -> assertThat(seconds).isPositive());
        assertThat(times.of(0, blocks - 1, false)).isGreaterThan(times.of(blocks - 1, blocks, false));
    }

    @Test
    void shouldMeasureATransformerAndRefuseATokenBeyondTheVocabulary() {
        NetworkDefinition network = Networks.usual(GPT);
        BlockTimes times = new BlockProfiler(range -> Libtorch.stage(range, 0), System::nanoTime)
                .measure(network, 2, 1, new SgdSettings(0.9f, 0, false, 0));
        assertThat(times.forward()).hasSize(6);

        TestBatch batch = TestBatch.random(network.spec(), 1, 1);
        batch.images()[3] = 11;
        try (StageChain chain = new StageChain(network, 2, 3, 0)) {
            assertThatThrownBy(() -> chain.forward(batch, 0, 7, Graph.RETAINED))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("token 3 of a batch is 11.0; the network's vocabulary has the tokens 0 to 10");
        }
    }

    @Test
    void shouldSayWhatIsWrongWithAFrame() {
        NetworkDefinition network = Networks.usual("lenet5");
        TestBatch batch = TestBatch.random(network.spec(), 2, 1);
        try (StageChain chain = new StageChain(network, 2, 3, 0)) {
            Frame small = Frame.activation(4, new float[2 * 729], 2, 1, 27, 27);
            MicroBatch of = new MicroBatch(4, 0, batch.labels());
            assertThatThrownBy(() -> chain.stage(0).forward(chain.slot(0), of, small, Graph.RETAINED))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "blocks conv1 to conv2 of lenet5?classes=10&input=1x28x28 takes samples of [1, 28, 28], one or more of them; the frame of micro-batch 4 (FORWARD) has the shape [2, 1, 27, 27]");

            StageChain.Passed passed = chain.forward(batch, 0, 0, Graph.RETAINED);
            Frame three = Frame.gradient(0, new float[3 * 400], 3, 400);
            assertThatThrownBy(
                            () -> chain.stage(0).backward(passed.activations().get(0), three))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the gradient of micro-batch 0 has the shape [3, 400], its activation [2, 400]");

            assertThatThrownBy(() -> chain.stage(1)
                            .forward(
                                    chain.slot(1),
                                    new MicroBatch(0, 0, new float[] {1, 10}),
                                    passed.inputs().get(1),
                                    Graph.RETAINED))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("label 10 of sample 1 is not one of the 10 classes");
            assertThatThrownBy(() -> chain.stage(1)
                            .forward(
                                    chain.slot(0),
                                    new MicroBatch(0, 0, new float[] {1, 2}),
                                    passed.inputs().get(1),
                                    Graph.RETAINED))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("the slot is of blocks conv1 to conv2");
        }
    }

    @Test
    void shouldRefuseToGoBackwardThroughAGraphThatIsNotThere() {
        NetworkDefinition network = Networks.usual("lenet5");
        TestBatch batch = TestBatch.random(network.spec(), 2, 1);
        try (StageChain chain = new StageChain(network, 1, 3, 0)) {
            StageActivation dropped =
                    chain.forward(batch, 5, 0, Graph.DISCARDED).activations().get(0);
            StageActivation twice =
                    chain.forward(batch, 6, 0, Graph.RETAINED).activations().get(0);
            chain.stage(0).backwardFromLoss(twice, 1);

            assertThatThrownBy(() -> chain.stage(0).backwardFromLoss(dropped, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("no graph of micro-batch 5 is kept");
            assertThatThrownBy(() -> chain.stage(0).backwardFromLoss(twice, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("no graph of micro-batch 6 is kept");
            assertThatThrownBy(dropped::output).isInstanceOf(IllegalStateException.class);

            WeightSlot closed = chain.stage(0).allocate(new float[61_706]);
            closed.close();
            assertThatThrownBy(() -> closed.set(new float[61_706])).isInstanceOf(IllegalStateException.class);
        }
    }
}
