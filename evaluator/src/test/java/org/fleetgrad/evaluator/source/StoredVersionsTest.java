package org.fleetgrad.evaluator.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fleetgrad.checkpoints.CheckpointFile;
import org.fleetgrad.checkpoints.CheckpointLocation;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.checkpoints.Checkpoints;
import org.fleetgrad.evaluator.source.Versions.NamedVersion;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.serving.FakeClassifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredVersionsTest {

    @TempDir
    private Path run;

    private final List<String> told = new ArrayList<>();

    /** Writes a checkpoint of each version. */
    private Path checkpoints(long... versions) throws IOException {
        Path folder = run.resolve("checkpoints");
        try (Checkpoints checkpoints = Checkpoints.open(CheckpointLocation.inFolder(folder))) {
            for (long number : versions) {
                ParameterVersion version = new ParameterVersion("g", number);
                byte[] file = file(version);
                checkpoints.write(
                        version,
                        Instant.EPOCH,
                        Map.of(),
                        List.of(new CheckpointFile(
                                CheckpointManifest.PARAMETERS, file.length, out -> out.write(file))));
            }
        }
        return folder;
    }

    private static byte[] file(ParameterVersion version) {
        Map<String, String> metadata = Map.of(
                ParameterVersion.GENERATION_KEY,
                version.generation(),
                ParameterVersion.VERSION_KEY,
                Long.toString(version.version()));
        return Safetensors.encode(FakeClassifier.parameters(version, metadata)).array();
    }

    private List<String> each(Object place, long every) throws IOException, InterruptedException {
        List<String> visited = new ArrayList<>();
        StoredVersions.at(place.toString(), every, told::add).each(version -> {
            visited.add(version.name() + " " + version.version());
            return true;
        });
        return visited;
    }

    @Test
    void shouldHandOutCheckpointsOldestFirstFromTheirFolderAndFromTheRuns() throws Exception {
        Path folder = checkpoints(5, 70, 120);

        assertThat(each(folder, 1))
                .containsExactly("checkpoint-000001 g-5", "checkpoint-000002 g-70", "checkpoint-000003 g-120");
        assertThat(each(run, 1)).hasSize(3);
        assertThat(each(folder.resolve("checkpoint-000002"), 1)).containsExactly("checkpoint-000002 g-70");
    }

    @Test
    void shouldLeaveOutVersionsThatAreTooCloseButNeverTheNewest() throws Exception {
        Path folder = checkpoints(0, 40, 100, 150, 201, 220);

        assertThat(each(folder, 100))
                .containsExactly(
                        "checkpoint-000001 g-0",
                        "checkpoint-000003 g-100",
                        "checkpoint-000005 g-201",
                        "checkpoint-000006 g-220");
    }

    @Test
    void shouldHandOutAVersionThatWasWrittenTwiceOnce() throws Exception {
        assertThat(each(checkpoints(5, 70, 70), 1)).containsExactly("checkpoint-000001 g-5", "checkpoint-000002 g-70");
    }

    @Test
    void shouldEndWhenNoMoreAreWanted() throws Exception {
        List<NamedVersion> visited = new ArrayList<>();

        StoredVersions.at(checkpoints(1, 2, 3).toString(), 1, told::add).each(version -> {
            visited.add(version);
            return visited.size() < 2;
        });

        assertThat(visited).hasSize(2);
    }

    @Test
    void shouldLeaveOutADamagedCheckpointAndSaySo() throws Exception {
        Path folder = checkpoints(1, 2, 3);
        Path damaged = folder.resolve("checkpoint-000002").resolve(CheckpointManifest.PARAMETERS);
        byte[] bytes = Files.readAllBytes(damaged);
        bytes[bytes.length - 1] ^= 1;
        Files.write(damaged, bytes);

        assertThat(each(folder, 1)).containsExactly("checkpoint-000001 g-1", "checkpoint-000003 g-3");
        assertThat(told).singleElement().asString().startsWith("checkpoint-000002 is left out: ");
    }

    @Test
    void shouldHandOutFilesInTheOrderOfTheirNames() throws Exception {
        Files.write(run.resolve("b.safetensors"), file(new ParameterVersion("g", 1)));
        Files.write(
                run.resolve("a.safetensors"),
                Safetensors.encode(FakeClassifier.parameters(new ParameterVersion("g", 2), Map.of()))
                        .array());

        assertThat(each(run, 1)).containsExactly("a.safetensors a.safetensors-0", "b.safetensors g-1");
        assertThat(each(run.resolve("b.safetensors"), 1)).containsExactly("b.safetensors g-1");
    }

    @Test
    void shouldRefuseARunOfSeveralServersAndSayWhatToDo() throws Exception {
        Files.createDirectories(run.resolve("checkpoints/0/checkpoint-000001"));

        assertThatThrownBy(() -> each(run, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        "is of a run of several servers; join its newest parts first: fleetgrad model export");
    }

    @Test
    void shouldSayThatThereIsNothing() throws Exception {
        Path other = Files.writeString(run.resolve("no.safetensors"), "nothing of tensors");

        assertThatThrownBy(() -> each(run.resolve("absent"), 1)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> each(other, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(other + " is not a safetensors file: ");
        Files.delete(other);
        assertThatThrownBy(() -> each(run, 1)).isInstanceOf(NoSuchFileException.class);
    }
}
