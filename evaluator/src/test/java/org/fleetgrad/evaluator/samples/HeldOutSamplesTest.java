package org.fleetgrad.evaluator.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.shard.InvalidShardException;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.serving.evaluation.TestSet;
import org.fleetgrad.serving.evaluation.TinyShards;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeldOutSamplesTest {

    @TempDir
    private Path run;

    private ShardSet shards;

    @BeforeEach
    void cut() throws IOException {
        shards = ShardSet.write(run.resolve("shards"), "tiny", TinyShards.samples(6), TinyShards.samples(4), 2);
    }

    private static TestSet read(Path data) throws IOException {
        return HeldOutSamples.read(data, FolderOptions.NONE);
    }

    @Test
    void shouldReadTheTestShardOfAFolderOfARunAndOfAFile() throws IOException {
        for (Path data : new Path[] {run.resolve("shards"), run, shards.test()}) {
            TestSet samples = read(data);

            assertThat(((ImageSamples) samples.samples()).images())
                    .as("%s", data)
                    .isEqualTo(TinyShards.samples(4).images());
            assertThat(samples.description().classes()).hasSize(2);
        }
    }

    @Test
    void shouldRefuseATrainingShard() {
        Path learned = shards.train().get(1);

        assertThatThrownBy(() -> read(learned))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "%s is a training shard, says %s: accuracy on training samples is no measure; pass the test shard, or the folder"
                                .formatted(learned, shards.manifest()));
    }

    @Test
    void shouldRefuseATrainingShardThatCallsItselfATest() throws IOException {
        Path learned = shards.train().get(0);
        ShardArchive.write(TinyShards.shard(3), learned);

        assertThatThrownBy(() -> read(learned))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is a training shard, says");
    }

    @Test
    void shouldRefuseATrainingShardWithoutAManifest() throws IOException {
        Path alone = Files.copy(shards.train().get(0), run.resolve("alone.tar.gz"));

        assertThatThrownBy(() -> read(alone))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the shard of tiny has 3 of the 6 training samples, from 0 on: an accuracy on them says nothing;"
                                + " name the test shard");
    }

    @Test
    void shouldRefuseATestShardThatTheManifestDoesNotState() throws IOException {
        ShardArchive.write(TinyShards.shard(3), shards.test());

        assertThatThrownBy(() -> read(run))
                .isInstanceOf(InvalidShardException.class)
                .hasMessageContaining("the manifest states");
    }

    @Test
    void shouldSayThatThereAreNoSamples() throws IOException {
        Path empty = Files.createDirectory(run.resolve("empty"));

        assertThatThrownBy(() -> read(empty)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> read(run.resolve("absent"))).isInstanceOf(NoSuchFileException.class);
    }
}
