package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.block.Block;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.pipeline.frame.Frame;
import org.fleetgrad.pipeline.stage.MicroBatch;
import org.fleetgrad.pipeline.stage.StageNetwork;
import org.fleetgrad.pipeline.stage.StageNetwork.Graph;
import org.fleetgrad.pipeline.stage.StageNetwork.StageActivation;
import org.fleetgrad.pipeline.stage.StageNetwork.WeightSlot;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * T4: a micro-batch goes forward through a stage in the middle, the weights take a step, and it goes backward. With stashed
 * weights it does not matter whether the activations were kept or are computed again. Without, it does.
 */
@Tag("kernels")
class StageVersionsTest {

    private static final MicroBatch BATCH = new MicroBatch(3, 11, new float[0]);
    private static final int SAMPLES = 4;

    private record Gradients(float[] ofParameters, float[] ofInput) {
        boolean isSame(Gradients other) {
            return Arrays.equals(ofParameters, other.ofParameters) && Arrays.equals(ofInput, other.ofInput);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"lenet5", "mnist-cnn", "resnet20", "vgg11_bn?classes=10&head=cifar&input=3x32x32"})
    void shouldDependOnTheVersionsAsTheyAreDefined(String name) {
        NetworkDefinition network = Networks.usual(name);
        int blocks = network.blocks().size();
        BlockRange range = BlockRange.of(network, 1, blocks - 1);
        Frame input = frame(range.blocks().get(0), true, 1);
        Frame gradient = frame(range.blocks().get(blocks - 3), false, 2);
        try (StageNetwork stage = Libtorch.stage(range, 0)) {
            float[] before = range.initialParameters(3);
            float[] after = StageChain.moved(before);
            WeightSlot live = stage.allocate(before);
            WeightSlot stash = stage.allocate(before);

            StageActivation keptOnLive = stage.forward(live, BATCH, input, Graph.RETAINED);
            StageActivation keptOnStash = stage.forward(stash, BATCH, input, Graph.RETAINED);
            stage.forward(live, BATCH, input, Graph.DISCARDED).close();
            live.set(after);

            Gradients stashed = backward(stage, keptOnStash, gradient);
            Gradients stashedAgain = backward(stage, stage.recompute(stash, BATCH, input), gradient);
            Gradients stale = backward(stage, keptOnLive, gradient);
            Gradients staleAgain = backward(stage, stage.recompute(live, BATCH, input), gradient);
            Gradients fresh = backward(stage, stage.forward(live, BATCH, input, Graph.RETAINED), gradient);

            assertThat(stashedAgain.ofParameters()).isEqualTo(stashed.ofParameters());
            assertThat(stashedAgain.ofInput()).isEqualTo(stashed.ofInput());
            assertThat(stale.isSame(staleAgain)).isFalse();
            // The kept activations are the old weights', the matrices of the Jacobian the new ones.
            assertThat(stale.ofInput()).isNotEqualTo(stashed.ofInput()).isNotEqualTo(fresh.ofInput());
            assertThat(staleAgain.isSame(fresh)).isTrue();
            float[] held = new float[before.length];
            stash.get(held);
            assertThat(held).isEqualTo(before);
        }
    }

    private static Gradients backward(StageNetwork stage, StageActivation activation, Frame outputGradient) {
        float[] ofInput =
                stage.backward(activation, outputGradient).orElseThrow().toArray();

        float[] ofParameters = stage.gradient().clone();
        stage.clearGradient();
        activation.close();
        return new Gradients(ofParameters, ofInput);
    }

    private static Frame frame(Block block, boolean isInput, long seed) {
        List<Integer> shape = isInput ? block.input() : block.output();
        long[] sides = new long[shape.size() + 1];
        sides[0] = SAMPLES;
        int size = SAMPLES;
        for (int i = 0; i < shape.size(); i++) {
            sides[i + 1] = shape.get(i);
            size *= shape.get(i);
        }
        NetworkSpec one = Networks.usual("mlp?input=1x1x" + size / SAMPLES).spec();
        float[] values = TestBatch.random(one, SAMPLES, seed).images();
        return isInput ? Frame.activation(3, values, sides) : Frame.gradient(3, values, sides);
    }
}
