package org.fleetgrad.runs;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Optional;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.settings.ExampleSettings;
import org.fleetgrad.runs.settings.RunSettings;
import org.fleetgrad.runs.shards.PreparedDataset;
import org.fleetgrad.testing.SmallDisk;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskRoomTest {

    /** Keeps checkpoints of parameters and momentum. */
    private static final RunSettings SETTINGS = ExampleSettings.of(Optional.empty(), 2);

    @TempDir
    private Path folder;

    @Test
    void shouldRefuseARunWhoseCheckpointDoesNotFit() {
        long exabyte = 1L << 60;
        Path out = folder.resolve("run");

        assertThatThrownBy(() -> DiskRoom.require(SETTINGS, out, exabyte))
                .isInstanceOf(RunFailedException.class)
                .hasMessageMatching(
                        "%s has [\\d,]+ bytes free, and the run needs 3,458,764,513,820,540,928 there at least, for one checkpoint and model.safetensors: free space, or pass another --out"
                                .formatted(out));
        assertThatCode(() -> DiskRoom.require(SETTINGS, out, 1)).doesNotThrowAnyException();
    }

    @Test
    @Tag("whole")
    void shouldSayWhatShardsTakeThatAFullDiskDoesNotTake() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), "16k")) {
            Path shards = disk.folder().resolve("shards");

            assertThatThrownBy(() -> PreparedDataset.prepare(SETTINGS, shards, RunOutput.SILENT))
                    .isInstanceOf(RunFailedException.class)
                    .hasMessageContainingAll(
                            "the shards could not be written to " + shards,
                            "No space left on device; they take up to ",
                            " bytes are free in " + shards + ": free space, or pass another --out");
        }
    }
}
