package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.fleetgrad.libtorch.Steps.Pass;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
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
        boolean isOfTokens = name.matches("(gpt2|bert).*");
        boolean isOfRows = name.matches("(tabular|series).*");
        NetworkDefinition definition;
        if (isOfTokens) {
            definition = Networks.usual(name + "?layers=2&width=96&context=12&vocabulary=50");
        } else if (isOfRows) {
            definition = Networks.usual(name);
        } else {
            definition = Networks.named(name, List.of(3, 32, 32), 10);
        }
        float[] images = isOfTokens
                ? Formula.padded(2, 12, 50)
                : Formula.images(2 * definition.spec().inputSize());
        try (LibtorchNetwork network = Libtorch.instance(definition, Device.CPU)) {
            TestBatch.load(network, Formula.parameters(definition));
            float[] evaluated = network.logits(images, 2);
            float[] trained = network.trainingLogits(images, 2, 5);

            assertThat(blockwise(
                            definition,
                            images,
                            input -> new Pass(network.tensors().evaluated(), false, 0, input)))
                    .isEqualTo(evaluated);
            assertThat(blockwise(
                            definition,
                            images,
                            input -> new Pass(network.tensors().trained(), true, 5, input)))
                    .isEqualTo(trained);
        }
    }

    private static float[] blockwise(NetworkDefinition definition, float[] images, Function<PtNDArray, Pass> passOf) {
        List<Integer> shape = definition.spec().inputShape();
        try (PtNDManager scope = (PtNDManager) Libtorch.engine().newBaseManager(ai.djl.Device.cpu())) {
            long[] batch = LongStream.concat(LongStream.of(2), shape.stream().mapToLong(Integer::longValue))
                    .toArray();
            PtNDArray input = (PtNDArray) scope.create(images, new Shape(batch));
            Pass pass = passOf.apply(input);
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
