package org.fleetgrad.networks.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.layer.BatchNorm2d;
import org.fleetgrad.networks.layer.Conv2d;
import org.fleetgrad.networks.layer.Layer.Flatten;
import org.fleetgrad.networks.layer.Layer.ReLU;
import org.fleetgrad.networks.layer.LayerTensor;
import org.fleetgrad.networks.layer.Linear;
import org.fleetgrad.networks.layer.Residual;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class BlockTest {

    @ParameterizedTest
    @MethodSource("org.fleetgrad.networks.Networks#names")
    void shouldHaveExactlyTheTensorsOfTheNetworkInOrder(String name) {
        NetworkDefinition network = Networks.usual(name);
        List<Block> blocks = network.blocks();

        List<LayerTensor> joined =
                blocks.stream().flatMap(block -> block.tensors().stream()).toList();
        assertThat(joined).isEqualTo(network.layers().tensors());
        assertThat(blocks.stream().mapToLong(block -> count(block, false)).sum())
                .isEqualTo(network.spec().parameterCount());
        assertThat(blocks.stream().mapToLong(block -> count(block, true)).sum())
                .isEqualTo(network.spec().stateCount());
        assertThat(blocks).extracting(Block::name).doesNotHaveDuplicates();
        assertThat(blocks)
                .allMatch(block ->
                        count(block, false) > 0 || !block.layers().tied().isEmpty());
    }

    private static long count(Block block, boolean isState) {
        return block.tensors().stream()
                .filter(tensor -> tensor.momentum().isPresent() == isState)
                .mapToLong(tensor -> tensor.shape().stream().reduce(1L, Math::multiplyExact))
                .sum();
    }

    @ParameterizedTest
    @MethodSource("org.fleetgrad.networks.Networks#names")
    void shouldTakeTheShapeThatTheBlockBeforeGives(String name) {
        NetworkDefinition network = Networks.usual(name);
        List<Integer> shape = network.spec().inputShape();
        for (Block block : network.blocks()) {
            assertThat(block.input()).isEqualTo(shape);
            assertThat(block.layers().output(shape)).isEqualTo(block.output());
            shape = block.output();
        }
        assertThat(shape).isEqualTo(network.spec().task().output());
    }

    @ParameterizedTest
    @CsvSource({
        "lenet5, 'conv1, conv2, fc1, fc2, fc3'",
        "mnist-cnn, 'conv1, conv2, fc1, fc2'",
        "mlp, 'fc1, fc2'",
        "resnet20, 'conv1, layer1.0, layer1.1, layer1.2, layer2.0, layer2.1, layer2.2, layer3.0, layer3.1, layer3.2, fc'",
        "vgg11_bn, 'features.0, features.4, features.8, features.11, features.15, features.18, features.22, features.25, classifier.0, classifier.3, classifier.6'"
    })
    void shouldBeginBlocksWithLayersOfWeightsAndKeepResidualsWhole(String name, String blocks) {
        assertThat(Networks.usual(name).blocks()).extracting(Block::name).containsExactly(blocks.split(", ", -1));
    }

    @Test
    void shouldPassOnWhatIsPooled() {
        assertThat(Networks.usual("lenet5").blocks())
                .extracting(Block::output)
                .containsExactly(List.of(6, 14, 14), List.of(400), List.of(120), List.of(84), List.of(10));
    }

    /** As a provider may define it: nested, with layers before the first weights, and a residual of its own. */
    @Test
    void shouldCutANetworkOfTheUser() {
        Sequential layers = Sequential.of("norm", new BatchNorm2d(1))
                .then("relu", new ReLU())
                .then(
                        "trunk",
                        Sequential.of(
                                        "stem",
                                        Sequential.numbered(
                                                List.of(Conv2d.standard(1, 4, 3, 1), new ReLU(), new BatchNorm2d(4))))
                                .then(
                                        "residual",
                                        Residual.of(Sequential.numbered(
                                                List.of(Conv2d.unbiased(4, 4, 3, 1), new BatchNorm2d(4))))))
                .then("flatten", new Flatten())
                .then("head", Linear.standard(4 * 8 * 8, 3));
        NetworkDefinition network = NetworkDefinition.of(NetworkName.parse("mine?classes=3&input=1x8x8"), layers);

        assertThat(network.blocks()).extracting(Block::name).containsExactly("trunk.stem.0", "trunk.residual", "head");
        assertThat(network.blocks().get(0).tensors())
                .extracting(LayerTensor::name)
                .startsWith("norm.weight")
                .contains("trunk.stem.2.running_var");
        assertThat(network.blocks().stream()
                        .flatMap(block -> block.tensors().stream())
                        .toList())
                .isEqualTo(layers.tensors());
    }

    @ParameterizedTest
    @CsvSource({"lenet5, 2", "resnet20, 4", "vgg11_bn?input=3x32x32&classes=10&head=cifar, 5"})
    void shouldDrawTheValuesOfTheWholeNetworkForEachRange(String name, int from) {
        NetworkDefinition network = Networks.usual(name);
        float[] whole = network.initialParameters(5);
        int all = network.blocks().size();
        List<String> names = new ArrayList<>();
        for (BlockRange range : List.of(BlockRange.of(network, 0, from), BlockRange.of(network, from, all))) {
            assertSame(whole, network, range.parameters(), range.initialParameters(5), names);
            assertSame(whole, network, range.state(), range.initialState(), names);
        }
        assertThat(names)
                .containsExactlyInAnyOrderElementsOf(network.spec().layout().specs().stream()
                        .map(spec -> spec.name())
                        .toList());
    }

    @Test
    void shouldRefuseARangeThatIsNotThere() {
        NetworkDefinition network = Networks.usual("lenet5");

        assertThatThrownBy(() -> BlockRange.of(network, 3, 6))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("lenet5?classes=10&input=1x28x28 has 5 blocks; there is no range from 3 to before 6");
    }

    private static void assertSame(
            float[] whole, NetworkDefinition network, TensorLayout layout, float[] drawn, List<String> names) {
        for (int i = 0; i < layout.size(); i++) {
            String tensor = layout.specs().get(i).name();
            names.add(tensor);
            int at = network.spec().layout().indexOf(tensor).orElseThrow();
            int begin = (int) (network.spec().layout().byteOffset(at) / Float.BYTES);
            int own = (int) (layout.byteOffset(i) / Float.BYTES);
            int count = (int) layout.specs().get(i).elementCount();
            assertThat(Arrays.copyOfRange(drawn, own, own + count))
                    .as(tensor)
                    .isEqualTo(Arrays.copyOfRange(whole, begin, begin + count));
        }
    }
}
