package org.fleetgrad.datasets.array;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.table.TableOptions;

class NpyFuzzTest {

    private static final byte[] TARGETS = TestArrays.longs(List.of(3), 0, 1, 1);

    /** The bytes are an array beside targets, and the targets, and the whole archive: each is read, or refused. */
    @FuzzTest(maxDuration = "30s")
    void shouldReadOrRefuse(byte[] bytes) throws IOException {
        Path folder = Files.createTempDirectory("fuzz");
        Path file = folder.resolve("fuzz.npz");
        try {
            readOrRefuse(TestArrays.npz(file, Map.of("x", bytes, "y", TARGETS)));
            readOrRefuse(TestArrays.npz(file, Map.of("x", TestArrays.inputs(3, 4), "y", bytes)));
            readOrRefuse(Files.write(file, bytes));
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
    }

    private static void readOrRefuse(Path file) throws IOException {
        try {
            Object unused = SeriesReading.read(file, "fuzz", TableOptions.NONE, OptionalDouble.empty());
        } catch (InvalidDatasetException | NoSuchFileException | IllegalArgumentException refused) {
            // As documented.
        }
    }
}
