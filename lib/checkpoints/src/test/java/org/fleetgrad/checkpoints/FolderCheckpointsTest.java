package org.fleetgrad.checkpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderCheckpointsTest extends CheckpointsContract {

    @Override
    CheckpointLocation emptyLocation(Path scratch) {
        return CheckpointLocation.parse(
                scratch.resolve("runs/1/checkpoints").toString(), Map.<String, String>of()::get);
    }

    @Test
    void shouldLieInFoldersAsDocumented(@TempDir Path folder) throws IOException {
        try (Checkpoints checkpoints = Checkpoints.open(CheckpointLocation.inFolder(folder))) {
            Samples.write(checkpoints, 1);
        }
        assertThat(folder.resolve("checkpoint-000001").toFile().list())
                .containsExactlyInAnyOrder(
                        "parameters.safetensors", "state.safetensors", "training.json", "manifest.json");
        assertThat(Files.readString(folder.resolve("checkpoint-000001/manifest.json")))
                .startsWith("""
                        {
                          "format" : 1,
                          "number" : 1,
                          "generation" : "g1",
                          "version" : 1,
                          "written" : "2026-01-02T03:04:05.678Z",
                          "notes" : {
                            "network" : "lenet5",
                            "accuracy" : "0.98",
                        """)
                .contains("  },\n  \"files\" : {\n    \"parameters.safetensors\" : {\n      \"bytes\" : 232,\n")
                .endsWith("\"\n}\n");
    }

    @Test
    void shouldSweepItsOwnFilesOnly(@TempDir Path folder) throws IOException {
        Path others = folder.resolve(".notes." + UUID.randomUUID() + ".tmp");
        Files.writeString(others, "somebody's");
        Files.createDirectories(folder.resolve("somebodys/empty"));
        try (Checkpoints checkpoints = Checkpoints.open(CheckpointLocation.inFolder(folder))) {
            Samples.write(checkpoints, 1);
            Samples.write(checkpoints, 2);
            checkpoints.retain(1);
        }
        assertThat(others).exists();
        assertThat(folder.resolve("somebodys/empty")).exists();
    }

    @Test
    void shouldSayThatAFileIsWhereTheFolderShouldBe(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "x");

        assertThatThrownBy(() -> Checkpoints.open(CheckpointLocation.inFolder(file)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageStartingWith("the folder of checkpoints cannot be created:  ")
                .hasMessageContaining(file.toString());
    }
}
