package org.fleetgrad.datasets.array;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.table.TableOptions;

class TensorFileFuzzTest {

    /** The bytes are a file, and a header before 64 bytes: each is read, or refused. */
    @FuzzTest(maxDuration = "30s")
    void shouldReadOrRefuse(byte[] bytes) throws IOException {
        byte[] header = TensorFileTest.tensors(new String(bytes, StandardCharsets.UTF_8), new byte[64]);
        for (byte[] contents : List.of(bytes, header)) {
            Path file = Files.createTempFile("fuzz", ".safetensors");
            try {
                Files.write(file, contents);
                Object unused = SeriesReading.read(file, "fuzz", TableOptions.NONE, OptionalDouble.empty());
            } catch (InvalidDatasetException | NoSuchFileException | IllegalArgumentException refused) {
                // As documented.
            } finally {
                Files.delete(file);
            }
        }
    }
}
