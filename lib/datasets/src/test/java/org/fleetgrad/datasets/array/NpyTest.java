package org.fleetgrad.datasets.array;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Files that NumPy wrote are read as NumPy reads them. */
@Tag("whole")
class NpyTest {

    private static final String WRITE = """
            import json, sys, numpy as np
            folder = sys.argv[1]
            random = np.random.default_rng(5)
            expected = {}
            types = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?"]
            for kind in types:
                for order in "<>":
                    for layout in "CF":
                        for version in (1, 2, 3):
                            dtype = np.dtype(kind).newbyteorder(order)
                            if dtype.kind in "iu":
                                info = np.iinfo(dtype)
                                values = random.integers(info.min, info.max, (5, 3, 4), dtype=np.dtype(kind), endpoint=True)
                                values[0, 0, 0], values[0, 0, 1] = info.min, info.max
                            elif dtype.kind == "b":
                                values = random.integers(0, 2, (5, 3, 4)).astype(bool)
                            else:
                                values = random.normal(size=(5, 3, 4)) * 10.0 ** random.integers(-6, 4, (5, 3, 4))
                            values = np.array(values.astype(dtype), order=layout)
                            name = f"{kind.replace('?', 'b')}-{'little' if order == '<' else 'big'}-{layout}-{version}"
                            with open(f"{folder}/{name}.npy", "wb") as file:
                                np.lib.format.write_array(file, values, version=(version, 0))
                            expected[name] = values.astype("f8").ravel("C").tolist()
            with open(f"{folder}/expected.json", "w") as file:
                json.dump(expected, file)
            x = random.normal(3, 2, (30, 2, 8)).astype("f4")
            y = random.integers(0, 3, 30)
            np.savez(f"{folder}/stored.npz", x=x, y=y)
            np.savez_compressed(f"{folder}/packed.npz", x=np.asfortranarray(x), y=y.astype(">i2"))
            """;

    @TempDir
    private Path folder;

    @Test
    void shouldReadWhatNumPyWrites() throws IOException {
        Python.run(WRITE, folder.toString());
        JsonNode expected = JsonMapper.shared().readTree(Files.readString(folder.resolve("expected.json")));

        assertThat(expected.propertyNames()).hasSize(12 * 2 * 2 * 3);
        for (String name : List.copyOf(expected.propertyNames())) {
            double[] values = values(folder.resolve(name + ".npy"));
            List<Double> theirs =
                    expected.get(name).valueStream().map(JsonNode::asDouble).toList();
            assertThat(Arrays.stream(values).boxed().toList()).as(name).isEqualTo(theirs);
        }
        assertThat(TestArrays.read(folder.resolve("packed.npz")).test().values())
                .isEqualTo(TestArrays.read(folder.resolve("stored.npz")).test().values());
    }

    private static double[] values(Path file) throws IOException {
        NpyArray array = NpyArray.open(ArraySource.OfFile.of(file));
        assertThat(array.shape()).containsExactly(5L, 3L, 4L);
        double[] values = new double[60];
        List<Integer> seen = new ArrayList<>();
        array.read(5, List.of(3, 4), (sample, place, value) -> {
            values[sample * 12 + place] = value;
            seen.add(sample * 12 + place);
        });
        assertThat(seen)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.iterate(0, i -> i + 1).limit(60).toList());
        return values;
    }
}
