package org.fleetgrad.checkpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.fleetgrad.checkpoints.ListedCheckpoint.Complete;
import org.fleetgrad.checkpoints.ListedCheckpoint.Corrupt;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damages the bytes of a checkpoint in every way: a read must never return changed data. */
class DamageTest {

    private static final String PARAMETERS = CheckpointManifest.PARAMETERS;

    @TempDir
    private Path folder;

    private Checkpoints checkpoints;

    @BeforeEach
    void writeThree() throws IOException {
        checkpoints = Checkpoints.open(CheckpointLocation.inFolder(folder));
        for (int version = 1; version <= 3; version++) {
            Samples.write(checkpoints, version);
        }
    }

    @AfterEach
    void close() throws IOException {
        checkpoints.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {PARAMETERS, "state.safetensors", "training.json", CheckpointManifest.FILE_NAME})
    void shouldNoticeEveryFlippedBit(String name) throws IOException {
        byte[] whole = Files.readAllBytes(file(name));
        for (int i = 0; i < whole.length; i++) {
            byte[] damaged = whole.clone();
            damaged[i] ^= (byte) (1 << i % 8);
            Files.write(file(name), damaged);

            assertThat(catchThrowable(() -> checkpoints.read(2)))
                    .as("byte %d of %s", i, name)
                    .isInstanceOfSatisfying(
                            CorruptCheckpointException.class,
                            corrupt -> assertThat(corrupt.file()).isEqualTo(name));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {PARAMETERS, "state.safetensors", "training.json", CheckpointManifest.FILE_NAME})
    void shouldNoticeAndListEveryOtherLength(String name) throws IOException {
        byte[] whole = Files.readAllBytes(file(name));
        for (int length = 0; length <= whole.length + 1; length++) {
            if (length == whole.length) {
                continue;
            }
            Files.write(file(name), Arrays.copyOf(whole, length));

            assertThat(catchThrowable(() -> checkpoints.read(2)))
                    .as("%d bytes of %s", length, name)
                    .isInstanceOf(CorruptCheckpointException.class);
            assertThat(checkpoints.list().get(1)).isInstanceOfSatisfying(Corrupt.class, corrupt -> {
                assertThat(corrupt.number()).isEqualTo(2);
                assertThat(corrupt.file()).isEqualTo(name);
            });
        }
    }

    @Test
    void shouldNameTheFileAndTheNumbers() throws IOException {
        Files.write(file(PARAMETERS), new byte[100]);

        assertThatThrownBy(() -> checkpoints.read(2))
                .isInstanceOfSatisfying(CorruptCheckpointException.class, corrupt -> {
                    assertThat(corrupt.number()).isEqualTo(2);
                    assertThat(corrupt.file()).isEqualTo(PARAMETERS);
                    assertThat(corrupt.reason()).isEqualTo("has 100 bytes, the manifest states 232");
                })
                .hasMessage("checkpoint-000002/parameters.safetensors has 100 bytes, the manifest states 232");
        assertThat(checkpoints.list())
                .element(1)
                .isEqualTo(new Corrupt(2, PARAMETERS, "has 100 bytes, the manifest states 232"));

        Files.write(file(PARAMETERS), new byte[232]);
        assertThatThrownBy(() -> checkpoints.read(2))
                .hasMessageMatching("checkpoint-000002/parameters.safetensors has the SHA-256 [0-9a-f]{64}, "
                        + "the manifest states [0-9a-f]{64}");
        assertThat(checkpoints.list().get(1)).isInstanceOf(Complete.class);
    }

    @Test
    void shouldTellAMissingFileFromADeletedCheckpoint() throws IOException {
        Files.delete(file("state.safetensors"));

        assertThatThrownBy(() -> checkpoints.read(2))
                .isInstanceOf(CorruptCheckpointException.class)
                .hasMessage("checkpoint-000002/state.safetensors is missing");
        assertThat(checkpoints.list()).element(1).isEqualTo(new Corrupt(2, "state.safetensors", "is missing"));
    }

    @Test
    void shouldNoticeFilesOfAnotherCheckpoint() throws IOException {
        Path other = folder.resolve("checkpoint-000003");
        Files.write(file(PARAMETERS), Files.readAllBytes(other.resolve(PARAMETERS)));
        assertThatThrownBy(() -> checkpoints.read(2)).isInstanceOf(CorruptCheckpointException.class);

        Files.write(file("manifest.json"), Files.readAllBytes(other.resolve("manifest.json")));
        assertThatThrownBy(() -> checkpoints.read(2))
                .hasMessage("checkpoint-000002/manifest.json is not the manifest of this checkpoint: "
                        + "it belongs to checkpoint-000003");
    }

    @Test
    void shouldRefuseParametersOfAnotherVersionThanTheManifests() throws IOException {
        TensorSet ofVersion8 = Samples.parameters(8);
        checkpoints.write(
                Samples.version(9), Samples.NOW, Samples.notes(), List.of(CheckpointFile.of(PARAMETERS, ofVersion8)));

        assertThatThrownBy(() -> checkpoints.read(4))
                .isInstanceOf(CorruptCheckpointException.class)
                .hasMessage("checkpoint-000004/parameters.safetensors has version g1-8, the manifest states g1-9");
    }

    @Test
    void shouldRefuseParametersThatAreNotSafetensors() throws IOException {
        checkpoints.write(
                Samples.version(9), Samples.NOW, Samples.notes(), List.of(CheckpointFile.of(PARAMETERS, new byte[9])));

        assertThatThrownBy(() -> checkpoints.read(4))
                .isInstanceOf(CorruptCheckpointException.class)
                .hasMessageStartingWith("checkpoint-000004/parameters.safetensors is not safetensors: ");
    }

    @Test
    void shouldKeepACorruptCheckpointUntilEnoughNewerOnesAreWhole() throws IOException {
        Files.writeString(file("manifest.json"), "garbage");

        assertThat(checkpoints.retain(2)).isEmpty();
        assertThat(checkpoints.list()).extracting(ListedCheckpoint::number).containsExactly(3L, 2L, 1L);

        Samples.write(checkpoints, 4);
        assertThat(checkpoints.retain(2)).extracting(CheckpointManifest::number).containsExactly(1L);
        assertThat(checkpoints.list()).extracting(ListedCheckpoint::number).containsExactly(4L, 3L);
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("checkpoint-000003", "checkpoint-000004");
    }

    @Test
    void shouldNotUseTheNumberOfACorruptCheckpointAgain() throws IOException {
        Files.writeString(folder.resolve("checkpoint-000003/manifest.json"), "");

        assertThat(Samples.write(checkpoints, 4).number()).isEqualTo(4);
    }

    private Path file(String name) {
        return folder.resolve("checkpoint-000002").resolve(name);
    }
}
