package org.fleetgrad.datasets.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardManifestTest {

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void writeManifest() throws IOException {
        file = ShardSet.write(folder, "tiny", TestShards.samples(4), TestShards.samples(2), 1)
                .manifest();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "tiny-test.tar.gz  | ../tiny-test.tar.gz             | a dataset's name must have 1 to 100 letters",
                "tiny-test.tar.gz  | tiny-train-00000-of-00001.tar.gz | 2 shards are in 1 files",
                "\"total\" : 4     | \"total\" : \"4\"               | 'shards[0].range.total' must be a whole number; it is \"4\"",
                "\"bytes\" :       | \"bytes\" : -1, \"was\" :       | shard 'tiny-train-00000-of-00001.tar.gz' has -1 bytes",
                "\"shards\"        | \"files\"                       | 'shards' is missing; it must be an array of objects"
            })
    void shouldNameWhatIsWrong(String part, String replacement, String message) throws IOException {
        String json = Files.readString(file);
        assertThat(json).contains(part);
        Files.writeString(file, json.replace(part, replacement));

        assertThatThrownBy(() -> ShardManifest.read(file))
                .isInstanceOf(InvalidShardException.class)
                .hasMessageStartingWith(file + " breaks rule MANIFEST: " + message);
    }

    @Test
    void shouldRefuseHugeManifests() throws IOException {
        Files.write(file, new byte[(16 << 20) + 1]);

        assertThatThrownBy(() -> ShardManifest.read(file))
                .hasMessage(file + " breaks rule TOO_LARGE: it is longer than the limit of 16777216 bytes");
    }
}
