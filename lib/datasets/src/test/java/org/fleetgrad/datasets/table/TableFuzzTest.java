package org.fleetgrad.datasets.table;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.Preparation;

class TableFuzzTest {

    private static final byte[] HEADER = "y,a,b\n1,x,2024-01-02\n2,z,NA\n".getBytes(StandardCharsets.UTF_8);
    private static final TableOptions OPTIONS = new TableOptions(List.of("y"), Map.of());

    /** A table is read, or refused: of these bytes alone, and of rows that they continue. */
    @FuzzTest(maxDuration = "30s")
    void shouldReadOrRefuse(byte[] bytes) throws IOException {
        for (byte[] before : List.of(new byte[0], HEADER)) {
            Path file = Files.createTempFile("fuzz", ".csv");
            try {
                byte[] contents = new byte[before.length + bytes.length];
                System.arraycopy(before, 0, contents, 0, before.length);
                System.arraycopy(bytes, 0, contents, before.length, bytes.length);
                Files.write(file, contents);
                Object unused = TableReading.read(file, "fuzz", OPTIONS, OptionalDouble.empty(), Preparation.USUAL);
            } catch (InvalidDatasetException | IllegalArgumentException refused) {
                // As documented.
            } finally {
                Files.delete(file);
            }
        }
    }
}
