package org.fleetgrad.datasets.array;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Arrays that Python's numpy and safetensors write. */
@Tag("whole")
class SavedTensorsTest {

    private static final String SCRIPT = """
            import sys, numpy as np, safetensors.numpy
            folder, inputs, targets = sys.argv[1:]
            draw = np.random.default_rng(3)
            arrays = {"x": (50 * draw.standard_normal((60, 3, 5))).astype(inputs), "y": (draw.integers(0, 2, 60)).astype(targets),
                      "x_test": (40 * draw.random((7, 3, 5))).astype(inputs), "y_test": (np.arange(7) % 2).astype(targets),
                      "times": np.arange(5.0)}
            np.savez(folder + "/a.npz", **arrays)
            safetensors.numpy.save_file(arrays, folder + "/a.safetensors")
            """;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource({
        "float32,int64",
        "float64,float32",
        "float16,bool",
        "int8,uint8",
        "uint16,int16",
        "int32,uint32",
        "uint64,float64",
        "int64,uint16",
        "bool,int32"
    })
    void shouldMakeTheShardsOfTheArchive(String inputs, String targets) throws IOException {
        Object unused = Python.run(SCRIPT, folder.toString(), inputs, targets);

        ShardSet found = ShardSet.write(folder.resolve("found"), TestArrays.read(folder.resolve("a.safetensors")), 2);
        ShardSet expected = ShardSet.write(folder.resolve("expected"), TestArrays.read(folder.resolve("a.npz")), 2);

        assertThat(found.train()).hasSize(2);
        for (int i = 0; i < 2; i++) {
            assertThat(found.train().get(i))
                    .hasSameBinaryContentAs(expected.train().get(i));
        }
        assertThat(found.test()).hasSameBinaryContentAs(expected.test());
    }
}
