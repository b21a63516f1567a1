package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.Task;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.testing.Python;
import org.fleetgrad.testing.RepositoryRoot;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A module of PyTorch's, exported, and what PyTorch computes with it.
 *
 * @param definition the network
 * @param values     of its tensors
 * @param oracle     samples, targets, outputs, loss and gradients, as graph_oracle.py describes them
 */
record ExportedModule(NetworkDefinition definition, TensorSet values, TensorSet oracle) {

    /** Times PyTorch's own float32 distance from float64: other kernels sum in other orders. */
    private static final double MOST_DISTANCES = 40;

    private static final double LEAST = 2e-5;

    /** Exports a module for images and returns what the script printed: {@code written}, or why it was refused. */
    static String export(Path folder, String module, String input, int count, String... arguments) throws IOException {
        return export(folder, module, input, count, "classes", List.of(arguments));
    }

    /**
     * Exports a module.
     *
     * @param question {@code classes}, {@code number} or {@code labels}
     */
    static String export(Path folder, String module, String input, int count, String question, List<String> arguments)
            throws IOException {
        String script = Files.readString(RepositoryRoot.path().resolve("lib/libtorch/src/test/python/graph_oracle.py"));
        List<String> all = new ArrayList<>(List.of(
                RepositoryRoot.path().toString(), folder.toString(), module, input, Integer.toString(count), question));
        all.addAll(arguments);
        return Python.runWithTorchvision(
                        RepositoryRoot.path().resolve("lib/libtorch/src/test/python"),
                        script,
                        all.toArray(String[]::new))
                .lines()
                .reduce((first, last) -> last)
                .orElse("")
                .strip();
    }

    /** Opens a folder whose network states its task. */
    static ExportedModule open(Path folder) throws Exception {
        return open(folder, Networks::named);
    }

    /** Opens a folder of a network for rows or series: the dataset's task completes it. */
    static ExportedModule open(Path folder, Task task) throws Exception {
        return open(folder, name -> Networks.named(name, task));
    }

    private static ExportedModule open(Path folder, Function<String, NetworkDefinition> network) throws Exception {
        TensorSet values = Safetensors.decode(ByteBuffer.wrap(Files.readAllBytes(folder.resolve("model.safetensors"))));
        TensorSet oracle =
                Safetensors.decode(ByteBuffer.wrap(Files.readAllBytes(folder.resolve("oracle.safetensors"))));
        return new ExportedModule(
                network.apply(values.metadata().getOrDefault(MetadataKeys.NETWORK, "")), values, oracle);
    }

    /** Checks that libtorch here computes what PyTorch does. */
    void requireSame() {
        float[] images = floats(oracle, "images");
        int count = images.length / definition.spec().inputSize();
        try (LibtorchNetwork network = Libtorch.instance(definition, Device.CPU)) {
            TestBatch.load(network, arranged().array());
            requireNear("eval_logits", network.logits(images, count));
            requireNear("train_logits", network.trainingLogits(images, count, 0));
            network.discardGradient();
            requireNear("loss", network.accumulate(images, floats(oracle, "targets"), count));
            float[] gradient = TestBatch.drain(network, 1);
            int at = 0;
            for (TensorSpec tensor : definition.spec().layout().specs()) {
                int end = at + (int) tensor.elementCount();
                if (!definition.spec().state().has(tensor.name())) {
                    requireNear("gradient." + tensor.name(), java.util.Arrays.copyOfRange(gradient, at, end));
                }
                at = end;
            }
        }
    }

    /** Returns the values of the tensors in the order of the layout. */
    FloatBuffer arranged() {
        FloatBuffer all = FloatBuffer.allocate((int) definition.spec().layout().elementCount());
        definition.spec().layout().specs().forEach(tensor -> all.put(floats(values, tensor.name())));
        return all;
    }

    private void requireNear(String kind, float... actual) {
        float[] expected = floats(oracle, kind);
        double most = LEAST * largest(expected)
                + MOST_DISTANCES * distances().path(kind).asDouble();
        assertThat(actual).as(kind).hasSameSizeAs(expected);
        for (int i = 0; i < actual.length; i++) {
            assertThat((double) Math.abs(actual[i] - expected[i]))
                    .as("%s %d is %s, PyTorch's %s", kind, i, actual[i], expected[i])
                    .isLessThanOrEqualTo(most);
        }
    }

    private static double largest(float... values) {
        double largest = 0;
        for (float value : values) {
            largest = Math.max(largest, Math.abs(value));
        }
        return largest;
    }

    private JsonNode distances() {
        return JsonMapper.shared().readTree(oracle.metadata().getOrDefault("distance", ""));
    }

    static float[] floats(TensorSet set, String name) {
        FloatBuffer buffer = set.bytes(name).orElseThrow().asFloatBuffer();
        float[] values = new float[buffer.remaining()];
        buffer.get(values);
        return values;
    }
}
