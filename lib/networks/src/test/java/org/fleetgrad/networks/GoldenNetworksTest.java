package org.fleetgrad.networks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Percentage;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.testing.SharedData;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Compares logits, losses and gradients with PyTorch's, for weights and images that a formula gives. */
class GoldenNetworksTest {

    @ParameterizedTest
    @MethodSource("org.fleetgrad.networks.Networks#names")
    void shouldComputeWhatPyTorchDoes(String name) {
        JsonNode golden = golden(name);
        NetworkSpec spec = Networks.named(name).spec();
        List<String> names = List.copyOf(golden.get("gradient_l2").propertyNames());
        int[] labels =
                golden.get("labels").valueStream().mapToInt(JsonNode::asInt).toArray();
        float[] images = images(labels.length * spec.inputSize());

        try (Network network = Networks.open(name, Device.CPU)) {
            TestBatch.load(network, weights(spec.layout(), names));
            float[] logits = network.logits(images, labels.length);
            double[] expected = golden.get("eval_logits")
                    .valueStream()
                    .flatMap(JsonNode::valueStream)
                    .mapToDouble(JsonNode::asDouble)
                    .toArray();
            assertThat(logits).hasSameSizeAs(expected);
            for (int i = 0; i < logits.length; i++) {
                assertThat((double) logits[i])
                        .isCloseTo(expected[i], within(1e-4 * Math.max(1, Math.abs(expected[i]))));
            }

            double loss = network.accumulate(images, labels, labels.length);
            assertThat(loss).isCloseTo(golden.get("train_loss").asDouble(), Percentage.withPercentage(0.01));

            Map<String, Double> norms = norms(spec.layout(), TestBatch.drain(network, 1));
            golden.get("gradient_l2")
                    .forEachEntry((tensor, norm) -> assertThat(norms.get(tensor))
                            .as(tensor)
                            .isCloseTo(norm.asDouble(), Percentage.withPercentage(0.1)));
        }
    }

    private static JsonNode golden(String network) {
        JsonNode file = JsonMapper.shared().readTree(SharedData.require("golden/networks/forward-backward.json"));
        return file.get("cases")
                .valueStream()
                .filter(golden -> golden.get("network").asString().equals(network))
                .findFirst()
                .orElseThrow();
    }

    /**
     * The formula of the golden file: element i of the k-th parameter in PyTorch's order, k from 1, is s = sin(0.7 i + k)
     * times sqrt(2 / fan_in) in a matrix or kernel; 1 + 0.1 s in any other weight; 0.1 s in a bias.
     */
    private static float[] weights(TensorLayout layout, List<String> pyTorchOrder) {
        float[] weights = new float[Math.toIntExact(layout.elementCount())];
        int at = 0;
        for (TensorSpec spec : layout.specs()) {
            int k = pyTorchOrder.indexOf(spec.name()) + 1;
            assertThat(k).as(spec.name()).isPositive();
            for (int i = 0; i < spec.elementCount(); i++) {
                double s = Math.sin(0.7 * i + k);
                if (spec.shape().size() > 1) {
                    s *= Math.sqrt(2.0 * spec.shape().get(0) / spec.elementCount());
                } else {
                    s = spec.name().endsWith("weight") ? 1 + 0.1 * s : 0.1 * s;
                }
                weights[at++] = (float) s;
            }
        }
        return weights;
    }

    private static float[] images(int size) {
        float[] images = new float[size];
        for (int i = 0; i < size; i++) {
            images[i] = (float) Math.cos(0.3 * i);
        }
        return images;
    }

    private static Map<String, Double> norms(TensorLayout layout, float[] gradient) {
        Map<String, Double> norms = new LinkedHashMap<>();
        int at = 0;
        for (TensorSpec spec : layout.specs()) {
            double squares = 0;
            for (int i = 0; i < spec.elementCount(); i++, at++) {
                squares += (double) gradient[at] * gradient[at];
            }
            norms.put(spec.name(), Math.sqrt(squares));
        }
        return norms;
    }
}
