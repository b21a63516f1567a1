package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.TableTask;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.networks.Task.TextClassification;
import org.fleetgrad.networks.layer.Layer;
import org.fleetgrad.networks.layer.Layer.Dropout;
import org.fleetgrad.networks.layer.Layer.Dropout2d;
import org.fleetgrad.networks.layer.LayerTensor;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Compares logits, losses, gradients and statistics with PyTorch's in float64. Each tolerance is a multiple of the
 * largest distance of PyTorch's own float32, over the kernels of all processors: make_network_goldens.py has the
 * formula and the reasons. Gradients jump where a value is near the kink of a ReLU, so they are compared at parameters
 * where none is.
 */
class GoldenNetworksTest {

    private static final List<String> QUICK =
            List.of("lenet5", "mnist-cnn", "mlp", "resnet18", "resnet50", "resnet20", "vgg11", "vgg11_bn");

    private static final List<Integer> CIFAR = List.of(3, 32, 32);

    /** The transformers are compared at a small size, under their complete names. */
    static Stream<String> quick() throws IOException {
        return cases().filter(name -> QUICK.contains(name) || name.contains("?"));
    }

    static Stream<String> slow() throws IOException {
        return cases().filter(name -> !QUICK.contains(name) && !name.contains("?"));
    }

    private static Stream<String> cases() throws IOException {
        return List.copyOf(golden().propertyNames()).stream();
    }

    @Test
    void shouldHaveEachNetworkForImages() throws IOException {
        assertThat(cases().toList())
                .containsAll(Networks.names().stream()
                        .filter(name -> !name.matches("(gpt2|vit|bert|tabular|series).*"))
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("quick")
    @Tag("kernels")
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
        JsonNode golden = golden().get(name);
        NetworkDefinition definition = withoutDropout(definition(name));
        NetworkSpec spec = definition.spec();
        int count = golden.get("count").asInt();
        float[] labels = new float[count];
        for (int i = 0; i < count; i++) {
            labels[i] = i;
        }
        float[] images;
        if (spec.task() instanceof LanguageModel text) {
            images = Formula.tokens(count * text.context(), text.vocabulary());
            labels = Formula.nextTokens(count * text.context(), text.vocabulary());
        } else if (spec.task() instanceof TextClassification text) {
            images = Formula.padded(count, text.context(), text.vocabulary());
        } else if (spec.task() instanceof TableTask table) {
            images = Formula.rows(count, table, golden.get("images").asInt());
        } else {
            images = Formula.images(
                    count * spec.inputSize(), golden.get("images").asInt());
        }
        float[] parameters = Formula.parameters(definition);

        try (LibtorchNetwork network = Libtorch.instance(definition, Device.CPU)) {
            TestBatch.load(network, parameters);
            assertFigures(golden, "train_logits", network.trainingLogits(images, count, 0));
            network.discardGradient();
            assertFigures(golden, "smoothed_loss", network.accumulate(images, labels, count, 0, 0.1f));
            float[] gradient = TestBatch.drain(network, 1);
            assertNorms(golden, "state_l2", names(definition, GoldenNetworksTest::isState), spec, gradient);
            TestBatch.load(network, withState(spec, parameters, gradient));
            assertFigures(golden, "eval_logits", network.logits(images, count));

            TestBatch.load(network, Formula.setApart(definition, parameters));
            assertFigures(golden, "loss", network.accumulate(images, labels, count));
            List<String> trainable = names(definition, tensor -> !isState(tensor));
            assertNorms(golden, "gradient_l2", trainable, spec, TestBatch.drain(network, 1));
        }
    }

    /** In PyTorch's order, which is the golden file's. */
    private static List<String> names(NetworkDefinition definition, Predicate<LayerTensor> which) {
        return definition.layers().tensors().stream()
                .filter(which)
                .map(LayerTensor::name)
                .toList();
    }

    private static boolean isState(LayerTensor tensor) {
        return tensor.momentum().isPresent();
    }

    private static void assertFigures(JsonNode golden, String kind, float... actual) {
        assertThat(golden.get(kind).get("figures")).as(kind).hasSize(actual.length);
        for (int i = 0; i < actual.length; i++) {
            assertFigure(golden, kind, i, actual[i], kind + " " + i);
        }
    }

    private static void assertNorms(
            JsonNode golden, String kind, List<String> tensors, NetworkSpec spec, float[] gradient) {
        assertThat(golden.get(kind).get("figures")).as(kind).hasSize(tensors.size());
        Map<String, Double> norms = norms(spec, gradient);
        for (int i = 0; i < tensors.size(); i++) {
            assertFigure(golden, kind, i, Objects.requireNonNull(norms.get(tensors.get(i))), tensors.get(i));
        }
    }

    private static void assertFigure(JsonNode golden, String kind, int index, double actual, String what) {
        JsonNode figures = golden.get(kind);
        assertThat(actual)
                .as(what)
                .isCloseTo(
                        figures.get("figures").get(index).asDouble(),
                        within(figures.get("tolerances").get(index).asDouble()));
    }

    private static NetworkDefinition definition(String name) {
        if (name.contains("?")) {
            return Networks.named(name);
        }
        NetworkDefinition usual = Networks.usual(name);
        return usual.spec().inputShape().get(0) == 1 ? usual : Networks.named(name, CIFAR, 10);
    }

    private static JsonNode golden() throws IOException {
        try (InputStream file =
                Objects.requireNonNull(GoldenNetworksTest.class.getResourceAsStream("/golden-networks.json"))) {
            return JsonMapper.shared().readTree(file).get("cases");
        }
    }

    /** The masks are each side's own, so the comparison is without them. */
    private static NetworkDefinition withoutDropout(NetworkDefinition definition) {
        return NetworkDefinition.of(
                NetworkName.parse(definition.spec().name()), definition.spec().task(), (Sequential)
                        withoutDropout(definition.layers()));
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
            for (int end = at + (int) tensor.elementCount(); at < end; at++) {
                squares += (double) gradient[at] * gradient[at];
            }
            norms.put(tensor.name(), Math.sqrt(squares));
        }
        return norms;
    }
}
