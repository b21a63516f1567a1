package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.testing.Python;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Modules of timm, which nobody here wrote: 20 steps of plain SGD, beside PyTorch's from the same values on the same batches. They are such
 * that PyTorch's own trainings in float32 and float64 stay together: those of a MobileNet with small batches do not.
 */
@Tag("whole")
class ExportedTimmTest {

    private static final int STEPS = 20;
    private static final int BATCHES = 4;
    private static final List<String> MODULES =
            List.of("resnet10t", "convnext_atto", "gmixer_12_224", "mobilevit_xxs", "vit_tiny_patch16_224");

    /** One for all modules: each Python that imports timm takes seconds. */
    @TempDir
    private static Path folder;

    @BeforeAll
    static void exportAndTrainWithPyTorch() throws Exception {
        List<String> arguments =
                new ArrayList<>(List.of(folder.toString(), Integer.toString(STEPS), Integer.toString(BATCHES)));
        arguments.addAll(MODULES);
        Path scripts = RepositoryRoot.path().resolve("lib/libtorch/src/test/python");
        String printed = Python.runWithTimm(
                scripts, Files.readString(scripts.resolve("timm_oracle.py")), arguments.toArray(String[]::new));
        assertThat(printed).contains("written");
    }

    static List<String> modules() {
        return MODULES;
    }

    @ParameterizedTest
    @MethodSource("modules")
    void shouldTrainAModuleOfTimmAsPyTorchDoes(String name) throws Exception {
        ExportedModule module = ExportedModule.open(folder.resolve(name));

        float[] expected = ExportedModule.floats(module.oracle(), "losses");
        assertThat(expected).hasSize(STEPS);
        assertThat(expected[STEPS - 1]).as("PyTorch's loss after the training").isLessThan(expected[0] * 0.95f);
        float[] losses = train(module);
        for (int step = 0; step < STEPS; step++) {
            assertThat(losses[step])
                    .as(
                            "loss of step %d; here %s, PyTorch's %s",
                            step, Arrays.toString(losses), Arrays.toString(expected))
                    .isCloseTo(expected[step], within(1e-3f));
        }
    }

    private static float[] train(ExportedModule module) {
        NetworkSpec spec = module.definition().spec();
        float[] images = ExportedModule.floats(module.oracle(), "images");
        float[] labels = ExportedModule.floats(module.oracle(), "targets");
        float rate = ExportedModule.floats(module.oracle(), "rate")[0];
        TestBatch all = new TestBatch(images, labels, labels.length);
        int count = labels.length / BATCHES;
        FloatBuffer parameters = module.arranged();
        float[] losses = new float[STEPS];
        try (Network network = Libtorch.open(module.definition(), Device.CPU)) {
            for (int step = 0; step < STEPS; step++) {
                int from = step % BATCHES * count;
                TestBatch batch = all.part(from, from + count);
                TestBatch.load(network, parameters.array());
                losses[step] = network.accumulate(batch.images(), batch.labels(), count);
                step(spec, parameters, TestBatch.drain(network, 1), rate);
            }
        }
        return losses;
    }

    private static void step(NetworkSpec spec, FloatBuffer parameters, float[] gradient, float rate) {
        int at = 0;
        for (TensorSpec tensor : spec.layout().specs()) {
            int end = at + (int) tensor.elementCount();
            // Running statistics have observations in place of gradients; a training does not read them.
            int last = spec.state().has(tensor.name()) ? at : end;
            for (int i = at; i < last; i++) {
                parameters.put(i, parameters.get(i) - rate * gradient[i]);
            }
            at = end;
        }
    }
}
