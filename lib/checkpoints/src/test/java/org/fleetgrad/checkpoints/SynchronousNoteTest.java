package org.fleetgrad.checkpoints;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SynchronousNoteTest {

    @ParameterizedTest
    @CsvSource({"true, true", "false, false", ", false"})
    void shouldBelieveTheNote(@Nullable String synchronous, boolean expected) {
        Map<String, String> notes = new TreeMap<>();
        if (synchronous != null) {
            notes.put(CheckpointManifest.SYNCHRONOUS, synchronous);
        }

        assertThat(manifest(notes).isSynchronous()).isEqualTo(expected);
    }

    private static CheckpointManifest manifest(Map<String, String> notes) {
        return new CheckpointManifest(
                1,
                "g",
                1,
                Instant.EPOCH,
                notes,
                Map.of(CheckpointManifest.PARAMETERS, new CheckpointManifest.FileDigest(1, "0".repeat(64))));
    }
}
