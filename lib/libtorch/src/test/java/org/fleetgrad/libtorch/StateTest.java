package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Running statistics: observed in training, read in evaluation. */
@Tag("kernels")
class StateTest {

    private static final NetworkDefinition RESNET20 = Networks.usual("resnet20");
    private static final NetworkSpec SPEC = RESNET20.spec();
    private static final double MOMENTUM = 0.1;

    /** One worker that pushes each batch, with the update of the parameter server: s = (1 - a) s + a o, a = momentum. */
    @Test
    void shouldKeepTheRunningStatisticsOfPyTorch() throws IOException {
        JsonNode golden = golden();
        int batch = golden.get("batch").asInt();
        int steps = golden.get("steps").asInt();
        float rate = (float) golden.get("learning_rate").asDouble();
        float[] parameters = Formula.parameters(RESNET20);
        float[] images = Formula.images(steps * batch * SPEC.inputSize());
        try (Network network = Libtorch.open(RESNET20, Device.CPU)) {
            for (int step = 0; step < steps; step++) {
                int first = step;
                float[] labels = new float[batch];
                for (int i = 0; i < batch; i++) {
                    labels[i] = (i + first) % 10;
                }
                TestBatch.load(network, parameters);
                network.accumulate(
                        Arrays.copyOfRange(
                                images, step * batch * SPEC.inputSize(), (step + 1) * batch * SPEC.inputSize()),
                        labels,
                        batch);
                step(parameters, TestBatch.drain(network, 1), rate);
            }
        }
        golden.get("state").forEachEntry((tensor, values) -> {
            double[] expected =
                    values.valueStream().mapToDouble(JsonNode::asDouble).toArray();
            float[] actual = values(tensor, parameters);
            double squares = 0;
            for (int i = 0; i < expected.length; i++) {
                squares += Math.pow(actual[i] - expected[i], 2);
            }
            // A multiple of the largest distance of PyTorch's own float32 with any kernels: see kernels.py.
            assertThat(Math.sqrt(squares))
                    .as(tensor)
                    .isLessThan(golden.get("tolerances").get(tensor).asDouble());
        });
    }

    private static void step(float[] parameters, float[] gradient, float rate) {
        int at = 0;
        for (TensorSpec tensor : SPEC.layout().specs()) {
            boolean isState = SPEC.state().has(tensor.name());
            for (int end = at + (int) tensor.elementCount(); at < end; at++) {
                parameters[at] = isState
                        ? (float) ((1 - MOMENTUM) * parameters[at] + MOMENTUM * gradient[at])
                        : parameters[at] - rate * gradient[at];
            }
        }
    }

    @Test
    void shouldObserveTheWeightedMeanOfSeveralBatches() {
        List<TestBatch> batches = IntStream.range(0, 3)
                .mapToObj(seed -> TestBatch.random(SPEC, 4, seed))
                .toList();
        try (Network network = TestBatch.open("resnet20", 1)) {
            double[] expected = new double[0];
            for (TestBatch batch : batches) {
                float[] one = values("layer1.0.bn1.running_var", batch.gradient(network));
                double[] sum = expected.length == 0 ? new double[one.length] : expected;
                for (int i = 0; i < one.length; i++) {
                    sum[i] = (1 - MOMENTUM) * sum[i] + MOMENTUM * one[i];
                }
                expected = sum;
            }
            for (TestBatch batch : batches) {
                network.accumulate(batch.images(), batch.labels(), 4);
            }
            // Only the gradient is scaled.
            float[] observed = values("layer1.0.bn1.running_var", TestBatch.drain(network, 1f / 3));

            double share = 1 - Math.pow(1 - MOMENTUM, 3);
            for (int i = 0; i < observed.length; i++) {
                // Ten times the most that was seen with the kernels of any processor.
                assertThat((double) observed[i]).isCloseTo(expected[i] / share, within(3e-6 * expected[i]));
            }
        }
    }

    @Test
    void shouldBeginEachIntervalWithBuffersOfZeros() {
        TestBatch batch = TestBatch.random(SPEC, 4, 1);
        TestBatch other = TestBatch.random(SPEC, 4, 2);
        try (Network network = TestBatch.open("resnet20", 1)) {
            float[] alone = batch.gradient(network);
            assertThat(other.gradient(network)).isNotEqualTo(alone);
            network.accumulate(other.images(), other.labels(), 4);
            network.discardGradient();

            assertThat(batch.gradient(network)).isEqualTo(alone);
        }
    }

    @Test
    void shouldReadStateInEvaluationOnly() {
        TestBatch batch = TestBatch.random(SPEC, 4, 1);
        float[] parameters = RESNET20.initialParameters(1);
        float[] moved = parameters.clone();
        int at = 0;
        for (TensorSpec tensor : SPEC.layout().specs()) {
            int end = at + (int) tensor.elementCount();
            if (tensor.name().endsWith("running_var")) {
                Arrays.fill(moved, at, end, 2);
            }
            at = end;
        }
        try (Network network = Libtorch.open(RESNET20, Device.CPU)) {
            TestBatch.load(network, parameters);
            float[] logits = network.logits(batch.images(), 4);
            float[] gradient = batch.gradient(network);
            assertThat(network.logits(batch.images(), 4)).isEqualTo(logits);

            TestBatch.load(network, moved);
            assertThat(network.logits(batch.images(), 4)).isNotEqualTo(logits);
            assertThat(batch.gradient(network)).isEqualTo(gradient);
        }
    }

    @Test
    void shouldAnswerEachImageAloneInEvaluationAndByItsBatchInTraining() {
        TestBatch batch = TestBatch.random(SPEC, 4, 1);
        try (LibtorchNetwork network = Libtorch.instance(RESNET20, Device.CPU)) {
            TestBatch.load(network, RESNET20.initialParameters(1));
            float[] first = network.logits(batch.part(0, 1).images(), 1);
            // Ten times the most that was seen with the kernels of any processor.
            assertThat(Arrays.copyOf(network.logits(batch.images(), 4), 10)).containsExactly(first, within(1e-5f));

            float[] inBatch = Arrays.copyOf(network.trainingLogits(batch.images(), 4, 0), 10);
            float[] inOther =
                    Arrays.copyOf(network.trainingLogits(batch.part(0, 2).images(), 2, 0), 10);
            assertThat(Math.abs(inBatch[0] - inOther[0])).isGreaterThan(1e-3f);
        }
    }

    private static JsonNode golden() throws IOException {
        try (InputStream file =
                Objects.requireNonNull(StateTest.class.getResourceAsStream("/golden-statistics.json"))) {
            return JsonMapper.shared().readTree(file);
        }
    }

    private static float[] values(String tensor, float[] all) {
        int index = SPEC.layout().indexOf(tensor).orElseThrow();
        int from = (int) (SPEC.layout().byteOffset(index) / Float.BYTES);
        return Arrays.copyOfRange(
                all, from, from + (int) SPEC.layout().specs().get(index).elementCount());
    }
}
