package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.fleetgrad.networks.LayeredNetwork;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.layer.Dropout;
import org.fleetgrad.networks.layer.Dropout2d;
import org.fleetgrad.networks.layer.Layer;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Compares logits, losses, gradients and statistics with PyTorch's: see make_network_goldens.py, which has the formula. */
class GoldenNetworksTest {

    private static final List<String> QUICK =
            List.of("lenet5", "mnist-cnn", "mlp", "resnet18", "resnet50", "resnet20", "vgg11", "vgg11_bn");

    private static final List<Integer> CIFAR = List.of(3, 32, 32);

    static Stream<String> quick() {
        return Networks.names().stream().filter(QUICK::contains);
    }

    static Stream<String> slow() {
        return Networks.names().stream().filter(name -> !QUICK.contains(name));
    }

    @ParameterizedTest
    @MethodSource("quick")
    void shouldComputeWhatPyTorchDoes(String name) throws IOException {
        compare(name);
    }

    @ParameterizedTest
    @MethodSource("slow")
    @Tag("whole")
    void shouldComputeWhatPyTorchDoesWhereItTakesLonger(String name) throws IOException {
        compare(name);
    }

    private static void compare(String name) throws IOException {
        JsonNode golden = golden(name);
        NetworkDefinition definition = withoutDropout(
                Networks.usual(name).spec().inputShape().get(0) == 1
                        ? Networks.usual(name)
                        : Networks.named(name, CIFAR, 10));
        NetworkSpec spec = definition.spec();
        int count = golden.get("input_shape").get(0).asInt();
        int[] labels = IntStream.range(0, count).toArray();
        float[] images = Formula.images(count * spec.inputSize());
        float[] parameters = Formula.parameters(definition);

        try (LibtorchNetwork network = Libtorch.instance(definition, Device.CPU)) {
            TestBatch.load(network, parameters);
            assertLogits(network.trainingLogits(images, count, 0), golden, "train_logits");
            network.discardGradient();
            assertLoss(network.accumulate(images, labels, count, 0, 0.1f), golden, 1);
            network.discardGradient();
            assertLoss(network.accumulate(images, labels, count), golden, 0);

            float[] gradient = TestBatch.drain(network, 1);
            Map<String, Double> norms = norms(spec, gradient);
            assertNorms(norms, golden, "gradient_l2");
            assertNorms(norms, golden, "state_l2");

            TestBatch.load(network, withState(spec, parameters, gradient));
            assertLogits(network.logits(images, count), golden, "eval_logits");
        }
    }

    private static void assertLoss(double loss, JsonNode golden, int index) {
        double expected = golden.get("losses").get(index).asDouble();
        assertThat(loss).isCloseTo(expected, within(tolerance(golden, "losses") * expected));
    }

    private static void assertNorms(Map<String, Double> norms, JsonNode golden, String kind) {
        golden.get(kind)
                .forEachEntry((tensor, norm) -> assertThat(norms.get(tensor))
                        .as(tensor)
                        .isCloseTo(norm.asDouble(), within(tolerance(golden, kind) * (norm.asDouble() + 1e-3))));
    }

    /** Within a share of the largest logit: the least is a difference of large numbers. */
    private static void assertLogits(float[] actual, JsonNode golden, String kind) {
        double[] expected =
                golden.get(kind).valueStream().mapToDouble(JsonNode::asDouble).toArray();
        double largest = 0;
        for (double value : expected) {
            largest = Math.max(largest, Math.abs(value));
        }
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < actual.length; i++) {
            assertThat((double) actual[i]).as(kind).isCloseTo(expected[i], within(tolerance(golden, kind) * largest));
        }
    }

    private static double tolerance(JsonNode golden, String kind) {
        return golden.get("tolerance").get(kind).asDouble();
    }

    private static JsonNode golden(String network) throws IOException {
        try (InputStream file =
                Objects.requireNonNull(GoldenNetworksTest.class.getResourceAsStream("/golden-networks.json"))) {
            return JsonMapper.shared().readTree(file).get("cases").get(network);
        }
    }

    /** The masks are each side's own, so the comparison is without them. */
    private static NetworkDefinition withoutDropout(NetworkDefinition definition) {
        return LayeredNetwork.of(
                NetworkName.parse(definition.spec().name()), (Sequential) withoutDropout(definition.layers()));
    }

    private static Layer withoutDropout(Layer layer) {
        if (layer instanceof Sequential sequential) {
            return new Sequential(sequential.parts().stream()
                    .map(part -> new Sequential.Part(part.name(), withoutDropout(part.layer())))
                    .toList());
        }
        return layer instanceof Dropout || layer instanceof Dropout2d ? Sequential.IDENTITY : layer;
    }

    /** Takes the state from where a gradient has it. */
    private static float[] withState(NetworkSpec spec, float[] parameters, float[] gradient) {
        float[] values = parameters.clone();
        int at = 0;
        for (TensorSpec tensor : spec.layout().specs()) {
            int count = (int) tensor.elementCount();
            if (spec.state().has(tensor.name())) {
                System.arraycopy(gradient, at, values, at, count);
            }
            at += count;
        }
        return values;
    }

    private static Map<String, Double> norms(NetworkSpec spec, float[] gradient) {
        Map<String, Double> norms = new TreeMap<>();
        int at = 0;
        for (TensorSpec tensor : spec.layout().specs()) {
            double squares = 0;
            for (int i = 0; i < tensor.elementCount(); i++, at++) {
                squares += (double) gradient[at] * gradient[at];
            }
            norms.put(tensor.name(), Math.sqrt(squares));
        }
        return norms;
    }
}
