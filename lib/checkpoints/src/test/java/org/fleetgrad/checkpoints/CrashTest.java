package org.fleetgrad.checkpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.fleetgrad.checkpoints.FailingStore.Failure;
import org.fleetgrad.checkpoints.ListedCheckpoint.Complete;
import org.fleetgrad.store.FolderStore;
import org.fleetgrad.store.LocalS3;
import org.fleetgrad.store.ObjectStore;
import org.fleetgrad.store.S3Credentials;
import org.fleetgrad.store.S3Store;
import org.fleetgrad.store.StoredObject;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Simulates a crash at every operation of the store: each listed checkpoint must be complete, and the next process must
 * be able to continue.
 */
@Tag("whole")
class CrashTest {

    private static final int KEPT = 2;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void shouldSurviveACrashAtEveryOperationOnAFolder(Failure failure) throws IOException {
        int operation = 1;
        boolean hasFailed = true;
        for (; hasFailed; operation++) {
            Path place = folder.resolve(failure + "-" + operation);
            try (FolderStore store = new FolderStore(place)) {
                hasFailed = crashAndRecover(store, "", operation, failure);
            }
            try (Stream<Path> files = Files.walk(place)) {
                assertThat(files)
                        .noneMatch(file -> file.getFileName().toString().startsWith("."));
            }
        }
        assertThat(operation).isGreaterThan(20);
    }

    @ParameterizedTest
    @EnumSource
    void shouldSurviveACrashAtEveryOperationOnABucket(Failure failure) throws IOException {
        try (LocalS3 service = new LocalS3()) {
            S3Credentials keys = LocalS3.CREDENTIALS;
            int operation = 1;
            boolean hasFailed = true;
            for (; hasFailed; operation++) {
                String bucket = "crash-" + operation;
                try (S3Store store = new S3Store(service.endpoint(), S3Store.DEFAULT_REGION, bucket, keys)) {
                    hasFailed = crashAndRecover(store, "a/b/", operation, failure);
                }
            }
            assertThat(operation).isGreaterThan(20);
        }
    }

    /** Returns whether the process reached the operation to crash at. */
    private static boolean crashAndRecover(ObjectStore store, String prefix, int operation, Failure failure)
            throws IOException {
        Checkpoints before = new Checkpoints(store, prefix, "before");
        for (int version = 1; version <= 3; version++) {
            Samples.write(before, version);
        }
        FailingStore failing = new FailingStore(store, operation, failure);
        Checkpoints crashing = new Checkpoints(failing, prefix, "crashing");
        boolean isWritten = false;
        try {
            Samples.write(crashing, 4);
            isWritten = true;
            crashing.retain(KEPT);
        } catch (IOException crashed) {
            assertThat(failing.hasFailed()).isTrue();
        }

        Checkpoints after = new Checkpoints(store, prefix, "after");
        List<ListedCheckpoint> listed = after.list();
        requireAllReadable(after, listed);
        long newest = listed.get(0).number();
        assertThat(newest).isIn(isWritten ? List.of(4L) : List.of(3L, 4L));
        assertThat(listed).hasSizeGreaterThanOrEqualTo(KEPT);

        CheckpointManifest next = Samples.write(after, 5);
        assertThat(next.number()).isEqualTo(newest + 1);
        listed = after.list();
        requireAllReadable(after, listed);
        requireNothingElse(store, listed);

        after.retain(KEPT);
        listed = after.list();
        assertThat(listed).extracting(ListedCheckpoint::number).containsExactly(newest + 1, newest);
        requireAllReadable(after, listed);
        requireNothingElse(store, listed);
        return failing.hasFailed();
    }

    private static void requireAllReadable(Checkpoints checkpoints, List<ListedCheckpoint> listed) throws IOException {
        long expected = listed.get(0).number();
        for (ListedCheckpoint checkpoint : listed) {
            assertThat(checkpoint).isInstanceOf(Complete.class);
            assertThat(checkpoint.number()).isEqualTo(expected--);
            Checkpoint read = checkpoints.read(checkpoint.number());
            long version = read.manifest().version();
            assertThat(read.file("training.json").orElseThrow()).isEqualTo(Samples.training(version));
            assertThat(read.parameters().data())
                    .isEqualTo(Samples.parameters(version).data());
        }
    }

    private static void requireNothingElse(ObjectStore store, List<ListedCheckpoint> listed) throws IOException {
        int filesOfACheckpoint = 4;
        assertThat(store.list("")).extracting(StoredObject::name).hasSize(filesOfACheckpoint * listed.size());
    }

    @Test
    void shouldSayThatTheDiskIsFullAndListNothing() throws IOException {
        CheckpointFile parameters = Samples.files(1).get(0);
        CheckpointFile tooMuch = new CheckpointFile("state.safetensors", 1000, out -> {
            new HalfStream(out, 500).write(new byte[1000]);
        });
        try (Checkpoints checkpoints = Checkpoints.open(CheckpointLocation.inFolder(folder))) {
            assertThatThrownBy(() -> checkpoints.write(
                            Samples.version(1), Samples.NOW, Samples.notes(), List.of(parameters, tooMuch)))
                    .isInstanceOf(IOException.class)
                    .hasMessage("checkpoint-000001 cannot be written to %s: No space left on device", folder);

            assertThat(checkpoints.list()).isEmpty();
            assertThat(checkpoints.retain(1)).isEmpty();
            assertThat(folder).isEmptyDirectory();
        }
    }

    @Test
    void shouldSweepAFolderThatIsStillEmpty() throws IOException {
        try (Checkpoints checkpoints = Checkpoints.open(CheckpointLocation.inFolder(folder))) {
            Samples.write(checkpoints, 1);
            Files.createDirectory(folder.resolve("checkpoint-000002"));

            checkpoints.retain(1);
        }
        assertThat(folder.toFile().list()).containsExactly("checkpoint-000001");
    }

    @Test
    void shouldSweepWhatAKilledProcessLeft() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        HaltingWriter.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isEqualTo(HaltingWriter.EXIT_CODE);
        assertThat(folder.resolve("checkpoint-000002").toFile().list())
                .hasSize(2)
                .contains("parameters.safetensors")
                .anyMatch(name -> name.startsWith(".state.safetensors.") && name.endsWith(".tmp"));

        try (Checkpoints checkpoints = Checkpoints.open(CheckpointLocation.inFolder(folder))) {
            assertThat(checkpoints.list()).extracting(ListedCheckpoint::number).containsExactly(1L);
            assertThat(checkpoints.read(1).manifest().version()).isEqualTo(1);

            checkpoints.retain(1);
            assertThat(folder.toFile().list()).containsExactly("checkpoint-000001");
        }
    }
}
