package org.fleetgrad.checkpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.fleetgrad.checkpoints.ListedCheckpoint.Complete;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.HeldOutScore.ScoredVersion;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.store.ObjectName;
import org.fleetgrad.store.ObjectStore;
import org.fleetgrad.store.StoredObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The behaviour of checkpoints in every kind of location. */
abstract class CheckpointsContract {

    @TempDir
    private Path folder;

    private CheckpointLocation location;
    private Checkpoints checkpoints;

    /** Returns an empty location that does not exist yet. */
    abstract CheckpointLocation emptyLocation(Path scratch);

    @BeforeEach
    void openCheckpoints() {
        location = emptyLocation(folder);
        checkpoints = Checkpoints.open(location);
    }

    @AfterEach
    void closeCheckpoints() throws IOException {
        checkpoints.close();
    }

    @Test
    void shouldReadWhatWasWritten() throws IOException {
        CheckpointManifest manifest = Samples.write(checkpoints, 7);

        assertThat(manifest.name()).isEqualTo("checkpoint-000001");
        assertThat(manifest.parameterVersion()).isEqualTo(Samples.version(7));
        assertThat(manifest.written()).isEqualTo(Samples.NOW);
        assertThat(manifest.notes()).containsExactlyEntriesOf(Samples.notes());
        assertThat(manifest.files().keySet())
                .containsExactly("parameters.safetensors", "state.safetensors", "training.json");
        assertThat(checkpoints.list()).containsExactly(new Complete(manifest));

        Checkpoint read = checkpoints.read(1);
        assertThat(read.manifest()).isEqualTo(manifest);
        assertThat(read.parameters().metadata())
                .isEqualTo(Map.of("generation", "g1", "version", "7", "network", "lenet5"));
        assertThat(read.parameters().toFloats(Samples.LAYOUT))
                .containsExactly(Samples.parameters(7).toFloats(Samples.LAYOUT));
        assertThat(read.file("training.json").orElseThrow()).isEqualTo(Samples.training(7));
        assertThat(read.file("state.safetensors").orElseThrow())
                .isEqualTo(Safetensors.encode(Samples.parameters(107)).array());
        assertThat(read.file("parameters.safetensors").orElseThrow())
                .isEqualTo(Safetensors.encode(Samples.parameters(7)).array());
        assertThat(read.file("manifest.json")).isEmpty();
        assertThat(manifest.bytes()).isEqualTo(232 + 240 + 11);
    }

    @Test
    void shouldNumberOnFromTheNewestWhateverTheVersions() throws IOException {
        Samples.write(checkpoints, 900);
        Samples.write(checkpoints, 3);
        try (Checkpoints again = Checkpoints.open(location)) {
            assertThat(Samples.write(again, 4).number()).isEqualTo(3);

            assertThat(again.list()).extracting(ListedCheckpoint::number).containsExactly(3L, 2L, 1L);
            assertThat(again.read(2).manifest().version()).isEqualTo(3);
        }
    }

    @Test
    void shouldKeepTheNewest() throws IOException {
        for (int version = 1; version <= 5; version++) {
            Samples.write(checkpoints, version);
        }

        List<CheckpointManifest> deleted = checkpoints.retain(2);

        assertThat(deleted).extracting(CheckpointManifest::number).containsExactly(3L, 2L, 1L);
        assertThat(checkpoints.list()).extracting(ListedCheckpoint::number).containsExactly(5L, 4L);
        assertThat(objects())
                .extracting(StoredObject::name)
                .allMatch(name -> name.contains("checkpoint-000004/") || name.contains("checkpoint-000005/"))
                .hasSize(8);
        assertThat(checkpoints.retain(2)).isEmpty();
        assertThat(checkpoints.retain(100)).isEmpty();
        assertThat(checkpoints.read(5).manifest().version()).isEqualTo(5);
        assertThat(Samples.write(checkpoints, 6).number()).isEqualTo(6);
    }

    @Test
    void shouldKeepTheBestBesideTheNewest() throws IOException {
        Samples.write(checkpoints, 0);
        try (BestVersion best = BestVersion.of(location)) {
            assertThat(best.newest()).isEmpty();
            assertThatThrownBy(best::read)
                    .isInstanceOf(NoSuchFileException.class)
                    .hasMessageContaining(
                            "/best has no best version: none was evaluated while a server kept its checkpoints there");
            best.replace(scored(1, 0.25), Samples.NOW, Samples.notes(), Samples.parameters(1));
            best.replace(scored(3, 0.75), Samples.NOW, Samples.notes(), Samples.parameters(3));
        }
        for (int version = 1; version <= 5; version++) {
            Samples.write(checkpoints, version);
            assertThat(checkpoints.retain(1)).hasSize(1);
        }

        try (BestVersion again = BestVersion.of(location)) {
            assertThat(again.newest().orElseThrow().scored()).contains(scored(3, 0.75));
            assertThat(again.newest().orElseThrow().manifest().notes()).containsAllEntriesOf(Samples.notes());
            assertThat(again.read().parameters().data())
                    .isEqualTo(Samples.parameters(3).data());
        }
        assertThat(checkpoints.list()).extracting(ListedCheckpoint::number).containsExactly(6L);
        assertThat(objects())
                .extracting(StoredObject::name)
                .filteredOn(name -> name.contains("best/"))
                .as("one best version, under a name of its own")
                .hasSize(2)
                .allMatch(name -> name.contains("best/checkpoint-000002/"));
    }

    private static ScoredVersion scored(long version, double accuracy) {
        return new ScoredVersion(Samples.version(version), HeldOutScore.ofAccuracy(accuracy));
    }

    @Test
    void shouldRefuseToRetainNoCheckpoint() {
        assertThatThrownBy(() -> checkpoints.retain(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the number of checkpoints to keep must be 1 or more; it is 0");
    }

    @Test
    void shouldSayThatThereIsNoSuchCheckpoint() throws IOException {
        Samples.write(checkpoints, 1);

        assertThatThrownBy(() -> checkpoints.read(42))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessage("checkpoint-000042: no such checkpoint in %s; there are 1", location);
        assertThatThrownBy(() -> checkpoints.read(0))
                .hasMessage("a checkpoint's number must be from 1 to 999999999999; it is 0");
    }

    @Test
    void shouldNameTheNewestOfManyWhereThereIsNoSuchCheckpoint() throws IOException {
        for (int version = 1; version <= 12; version++) {
            Samples.write(checkpoints, version);
        }

        assertThatThrownBy(() -> checkpoints.read(100))
                .hasMessage(
                        "checkpoint-000100: no such checkpoint in %s; the newest of 12 are 12, 11, 10, 9, 8, 7, 6, 5, 4, 3",
                        location);
    }

    @Test
    void shouldNotListAFolderWithoutAManifestAndDeleteItWithTheNextWrite() throws IOException {
        Samples.write(checkpoints, 1);
        put("checkpoint-000002/parameters.safetensors");
        put("checkpoint-000007/training.json");

        assertThat(checkpoints.list()).extracting(ListedCheckpoint::number).containsExactly(1L);
        assertThatThrownBy(() -> checkpoints.read(2)).isInstanceOf(NoSuchFileException.class);

        assertThat(Samples.write(checkpoints, 2).number()).isEqualTo(2);
        assertThat(objects())
                .extracting(StoredObject::name)
                .hasSize(8)
                .noneMatch(name -> name.contains("checkpoint-000007"));
    }

    @Test
    void shouldDeleteUnfinishedWritesWithRetain() throws IOException {
        put("checkpoint-000007/training.json");

        assertThat(checkpoints.retain(3)).isEmpty();

        assertThat(objects()).isEmpty();
    }

    @Test
    void shouldLeaveOtherPeoplesObjectsAlone() throws IOException {
        List<String> others = List.of(
                "readme",
                "checkpoint-1/a",
                "checkpoint-0000001/a",
                "checkpoint-000000/a",
                "other/manifest.json",
                "checkpoint-000001/sub/a");
        for (String other : others) {
            put(other);
        }
        Samples.write(checkpoints, 1);
        Samples.write(checkpoints, 2);
        checkpoints.retain(1);

        assertThat(checkpoints.list()).extracting(ListedCheckpoint::number).containsExactly(2L);
        assertThat(objects()).extracting(StoredObject::name).hasSize(4 + others.size());
    }

    @Test
    void shouldRefuseInvalidCheckpointsAndWriteNothing() throws IOException {
        CheckpointFile parameters = Samples.files(1).get(0);
        CheckpointFile other = CheckpointFile.of("training.json", new byte[1]);

        assertThatThrownBy(() -> checkpoints.write(Samples.version(1), Samples.NOW, Map.of(), List.of(other)))
                .hasMessage("a checkpoint must have parameters.safetensors and at most 100 files in all;"
                        + " it has 1: [training.json]");
        assertThatThrownBy(() ->
                        checkpoints.write(Samples.version(1), Samples.NOW, Map.of(), List.of(parameters, other, other)))
                .hasMessage("a checkpoint has two files named 'training.json'");
        Map<String, String> tooLong = Map.of("note", "x".repeat(1 << 20));
        assertThatThrownBy(() -> checkpoints.write(Samples.version(1), Samples.NOW, tooLong, List.of(parameters)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the manifest of checkpoint-000001 would be 10")
                .hasMessageEndingWith("bytes long, the limit is 1048576; shorten its notes");

        assertThat(objects()).isEmpty();
    }

    @Test
    void shouldWriteBuffersOfEveryKind() throws IOException {
        ByteBuffer direct =
                ByteBuffer.allocateDirect(300_000).putInt(299_990, 42).position(1);
        ByteBuffer heap = ByteBuffer.wrap(new byte[] {1, 2, 3, 4}).limit(3);
        checkpoints.write(
                Samples.version(1),
                Samples.NOW,
                Map.of(),
                List.of(
                        Samples.files(1).get(0),
                        CheckpointFile.of("buffers", direct, heap, ByteBuffer.allocate(0)),
                        CheckpointFile.of("empty", new byte[0])));

        Checkpoint read = checkpoints.read(1);
        ByteBuffer expected =
                ByteBuffer.allocate(300_002).put(direct.duplicate()).put(heap.duplicate());
        assertThat(read.file("buffers").orElseThrow()).isEqualTo(expected.array());
        assertThat(read.file("empty").orElseThrow()).isEmpty();
        assertThat(direct.position()).isEqualTo(1);
        assertThat(heap.remaining()).isEqualTo(3);
    }

    private void put(String name) throws IOException {
        try (ObjectStore store = location.place().open()) {
            store.createBucketIfMissing();
            store.put(new ObjectName(location.place().namePrefix() + name), 1, out -> out.write(1));
        }
    }

    private List<StoredObject> objects() throws IOException {
        try (ObjectStore store = location.place().open()) {
            return store.list("");
        }
    }
}
