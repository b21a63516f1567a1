package org.fleetgrad.checkpoints;

import com.code_intelligence.jazzer.junit.FuzzTest;

class ManifestFuzzTest {

    /** A manifest is read, or refused with a message that completes a sentence. */
    @FuzzTest(maxDuration = "30s")
    void shouldReadOrRefuse(byte[] file) {
        try {
            Object unused = ManifestJson.decode(file, 1);
        } catch (IllegalArgumentException refused) {
            // As documented.
        }
    }
}
