package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import java.util.List;
import java.util.stream.LongStream;
import org.fleetgrad.libtorch.Steps.Pass;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.networks.block.Block;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Blocks in sequence compute the same as the network, for every network. */
@Tag("whole")
class BlocksComputeTest {

    @ParameterizedTest
    @MethodSource("org.fleetgrad.networks.Networks#names")
    void shouldComputeTheBitsOfTheWholeNetwork(String name) {
        NetworkDefinition definition = name.startsWith("gpt2")
                ? Networks.usual(name + "?layers=2&width=96&context=12&vocabulary=50")
                : Networks.named(name, List.of(3, 32, 32), 10);
        float[] images = definition.spec().task() instanceof LanguageModel
                ? Formula.tokens(2 * 12, 50)
                : Formula.images(2 * definition.spec().inputSize());
        try (LibtorchNetwork network = Libtorch.instance(definition, Device.CPU)) {
            TestBatch.load(network, Formula.parameters(definition));
            float[] evaluated = network.logits(images, 2);
            float[] trained = network.trainingLogits(images, 2, 5);

            assertThat(blockwise(definition, images, new Pass(network.tensors().evaluated(), false, 0)))
                    .isEqualTo(evaluated);
            assertThat(blockwise(definition, images, new Pass(network.tensors().trained(), true, 5)))
                    .isEqualTo(trained);
        }
    }

    private static float[] blockwise(NetworkDefinition definition, float[] images, Pass pass) {
        List<Integer> shape = definition.spec().inputShape();
        try (PtNDManager scope = (PtNDManager) Libtorch.engine().newBaseManager(ai.djl.Device.cpu())) {
            long[] batch = LongStream.concat(LongStream.of(2), shape.stream().mapToLong(Integer::longValue))
                    .toArray();
            PtNDArray input = (PtNDArray) scope.create(images, new Shape(batch));
            return GradientMode.off(() -> {
                PtNDArray x = input;
                for (Block block : definition.blocks()) {
                    x = Steps.of(block.layers(), definition.spec().layout()).run(x, pass);
                }
                return x.toFloatArray();
            });
        }
    }
}
