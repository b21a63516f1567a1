package org.fleetgrad.cli.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.fleetgrad.checkpoints.CheckpointFile;
import org.fleetgrad.checkpoints.CheckpointLocation;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.checkpoints.Checkpoints;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.partition.Partitioning;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.runs.output.RunFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionedCheckpointsTest {

    private static final TensorLayout LAYOUT = TensorLayout.canonical(List.of(TensorSpec.f32("w", 8)));

    @TempDir
    private Path folder;

    @Test
    void shouldJoinSeveralVersionsOnlyWhenAskedTo() throws Exception {
        keep(0, 3, 1, "async");
        keep(0, 7, 2, "async");
        keep(1, 5, 2, "async");

        assertThatThrownBy(() -> newest())
                .isInstanceOf(RunFailedException.class)
                .hasMessage(
                        "the servers have no checkpoint of one version: they have [3, 7], [5]; fleetgrad model pull takes the parameters from running servers, and --mixed joins the newest part of each");
        PartitionedCheckpoints.Joined joined = PartitionedCheckpoints.in(folder).newest(true);

        assertThat(joined.versions()).containsExactly(7L, 5L);
        assertThat(joined.parameters().toFloats(LAYOUT)).containsOnly(2);
    }

    @Test
    void shouldTakeTheNewestVersionThatAllHaveWhenSynchronous() throws Exception {
        keep(0, 3, 1, "sync");
        keep(0, 7, 2, "sync");
        keep(1, 3, 1, "sync");
        keep(1, 5, 9, "sync");

        PartitionedCheckpoints.Joined joined = newest();

        assertThat(joined.versions()).containsExactly(3L, 3L);
        assertThat(joined.parameters().toFloats(LAYOUT)).containsOnly(1);
    }

    @Test
    void shouldTakeTheNewestVersionThatAllHaveWhenAsynchronous() throws Exception {
        keep(0, 3, 1, "async");
        keep(0, 7, 2, "async");
        keep(1, 3, 1, "async");
        keep(1, 5, 2, "async");

        assertThat(newest().versions()).containsExactly(3L, 3L);
    }

    @Test
    void shouldRefuseVersionsThatDoNotFitWhenSynchronous() throws Exception {
        keep(0, 3, 1, "sync");
        keep(1, 4, 1, "sync");

        assertThatThrownBy(() -> PartitionedCheckpoints.in(folder).newest(true))
                .isInstanceOf(RunFailedException.class)
                .hasMessage(
                        "the servers have no checkpoint of one version: they have [3], [4]; fleetgrad model pull takes the parameters from running servers");
    }

    @Test
    void shouldSayWhichServerHasNone() throws Exception {
        keep(0, 3, 1, "async");
        Files.createDirectories(folder.resolve("1"));

        assertThatThrownBy(() -> newest())
                .hasMessage("there is no undamaged checkpoint in %s".formatted(folder.resolve("1")));
    }

    @Test
    void shouldSayThatAPartIsMissing() throws Exception {
        keep(0, 3, 1, "async");

        assertThatThrownBy(() -> newest()).hasMessageContaining("partition 1 of 2 is there 0 times");
    }

    @Test
    void shouldFindNoneWhereTheCheckpointsAreOneServers() throws Exception {
        Files.createDirectories(folder.resolve("checkpoint-000001"));

        assertThat(PartitionedCheckpoints.in(folder).folders()).isEmpty();
    }

    /** The note decides, whatever the name of the mode. */
    @Test
    void shouldBelieveTheNoteThatTheRunIsSynchronous() throws Exception {
        Map<String, String> notes = Map.of("mode", "new", "synchronous", "true");
        keep(0, 3, 1, notes);
        keep(0, 7, 2, notes);
        keep(1, 3, 1, notes);
        keep(1, 5, 9, notes);

        assertThat(newest().versions()).containsExactly(3L, 3L);
    }

    private PartitionedCheckpoints.Joined newest() throws Exception {
        return PartitionedCheckpoints.in(folder).newest(false);
    }

    private void keep(int server, long version, float value, String mode) throws IOException {
        keep(server, version, value, Map.of("mode", mode, "synchronous", Boolean.toString(mode.equals("sync"))));
    }

    private void keep(int server, long version, float value, Map<String, String> notes) throws IOException {
        float[] first = new float[8];
        float[] values = new float[8];
        Arrays.fill(values, value);
        Map<String, String> origin = Partitioning.of(LAYOUT, 2)
                .split(TensorSet.ofFloats(LAYOUT, first, Map.of()))
                .get(server)
                .metadata();
        TensorSet part = Partitioning.of(LAYOUT, 2)
                .split(TensorSet.ofFloats(LAYOUT, values, Map.of()))
                .get(server);
        try (Checkpoints checkpoints =
                Checkpoints.open(CheckpointLocation.inFolder(folder.resolve(Integer.toString(server))))) {
            Object unused = checkpoints.write(
                    new ParameterVersion("g" + server, version),
                    Instant.EPOCH,
                    notes,
                    List.of(CheckpointFile.of(
                            CheckpointManifest.PARAMETERS, new TensorSet(part.layout(), part.data(), origin))));
        }
    }
}
