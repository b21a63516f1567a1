package org.fleetgrad.checkpoints;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckpointNotesTest {

    @ParameterizedTest
    @CsvSource({
        "sync,   ,      true",
        "backup, ,      true",
        "async,  ,      false",
        "ssp,    ,      false",
        ",       ,      false",
        "new,    true,  true",
        "sync,   false, false"
    })
    void shouldBelieveTheNoteAndKnowTheModesOfOldCheckpoints(
            @Nullable String mode, @Nullable String synchronous, boolean expected) {
        Map<String, String> notes = new TreeMap<>();
        if (mode != null) {
            notes.put(CheckpointNotes.MODE, mode);
        }
        if (synchronous != null) {
            notes.put(CheckpointNotes.SYNCHRONOUS, synchronous);
        }

        assertThat(CheckpointNotes.isSynchronous(manifest(notes))).isEqualTo(expected);
    }

    private static CheckpointManifest manifest(Map<String, String> notes) {
        return new CheckpointManifest(
                CheckpointManifest.FORMAT,
                1,
                "g",
                1,
                Instant.EPOCH,
                notes,
                Map.of(CheckpointManifest.PARAMETERS, new FileDigest(1, "0".repeat(64))));
    }
}
