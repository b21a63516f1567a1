package org.fleetgrad.datasets.idx;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class IdxFuzzTest {

    /** A file is read, or refused with the rule; its header alone causes no allocation. */
    @FuzzTest(maxDuration = "30s")
    void shouldReadOrRefuse(byte[] bytes) throws IOException {
        Path file = Files.createTempFile("fuzz", ".idx");
        try {
            Files.write(file, bytes);
            Object unused = IdxFile.read(file);
        } catch (InvalidIdxException refused) {
            // As documented.
        } finally {
            Files.delete(file);
        }
    }
}
