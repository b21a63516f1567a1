package org.fleetgrad.datasets.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.datasets.ClassNames;
import org.fleetgrad.datasets.ImageDataset;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.ImageSchema;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;
import org.fleetgrad.files.Sha256;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardSetTest {

    private static final ImageSamples TRAIN = TestShards.samples(11);
    private static final ImageSamples TEST = TestShards.samples(3);

    @TempDir
    private Path folder;

    @Test
    void shouldWriteShardsThatMergeToTheDataset() throws IOException {
        ShardSet set = ShardSet.write(folder, "tiny", TRAIN, TEST, 3);

        assertThat(set.files())
                .extracting(file -> folder.relativize(file).toString())
                .containsExactly(
                        "tiny-train-00000-of-00003.tar.gz",
                        "tiny-train-00001-of-00003.tar.gz",
                        "tiny-train-00002-of-00003.tar.gz",
                        "tiny-test.tar.gz",
                        "manifest.json");
        List<ImageSamples> parts = new ArrayList<>();
        for (Path file : set.train()) {
            parts.add(ShardArchive.read(file).images());
        }
        TestShards.assertJoined(parts, TRAIN);
        assertThat(ShardArchive.read(set.test()).images().images()).isEqualTo(TEST.images());
    }

    @Test
    void shouldDescribeEveryShardByTheWholeDataset() throws IOException {
        ShardSet set = ShardSet.write(folder, "tiny", TRAIN, TEST, 2);

        Shard second = ShardArchive.read(set.train().get(1));
        Shard test = ShardArchive.read(set.test());

        assertThat(second.description().range()).isEqualTo(new SampleRange(6, 5, 11));
        assertThat(second.description().images().normalization()).isEqualTo(Normalization.of(TRAIN));
        assertThat(second.description().images().classes()).containsExactly("0", "1", "2");
        assertThat(test.description().split()).isEqualTo(Split.TEST);
        assertThat(test.description().images().normalization()).isEqualTo(Normalization.of(TRAIN));
    }

    @Test
    void shouldListTheFilesInTheManifest() throws IOException {
        ShardSet set = ShardSet.write(folder.resolve("new/folder"), "tiny", TRAIN, TEST, 2);

        ShardManifest manifest = ShardManifest.read(set.manifest());

        assertThat(manifest.name()).isEqualTo("tiny");
        assertThat(manifest.schema().task().input()).containsExactly(1, 2, 3);
        assertThat(manifest.shards()).hasSize(3);
        for (ShardManifest.Entry entry : manifest.shards()) {
            Path file = folder.resolve("new/folder").resolve(entry.file());
            assertThat(entry.bytes()).isEqualTo(Files.size(file));
            assertThat(entry.sha256()).isEqualTo(Sha256.of(file));
        }
        assertThat(manifest.shards().get(1).range()).isEqualTo(new SampleRange(6, 5, 11));
    }

    @Test
    void shouldTellTheListenerOfEachShard() throws IOException {
        List<String> heard = new ArrayList<>();

        ShardSet.write(
                folder,
                new ImageDataset("tiny", ClassNames.numbers(3), TRAIN, TEST),
                1,
                new ImageSchema(ClassNames.numbers(3), TRAIN.shape(), Normalization.of(TRAIN)),
                (file, written, total) -> heard.add("%s %d/%d".formatted(file.getFileName(), written, total)));

        assertThat(heard).containsExactly("tiny-train-00000-of-00001.tar.gz 1/2", "tiny-test.tar.gz 2/2");
    }

    @Test
    void shouldNameTheClassesOfKnownDatasets() {
        assertThat(ClassNames.of("fashion-mnist", 9))
                .hasSize(10)
                .startsWith("T-shirt/top")
                .endsWith("Ankle boot");
        assertThat(ClassNames.of("mnist", 1)).hasSize(10).startsWith("0", "1");
        assertThat(ClassNames.of("letters", 1)).containsExactly("0", "1");
    }

    @Test
    void shouldRefuseLabelsThatAKnownDatasetDoesNotHave() {
        assertThatThrownBy(() -> ClassNames.of("fashion-mnist", 26))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the dataset's name is fashion-mnist, which has 10 classes, but there is a label 26; give it another name"
                                + " (--dataset-name)");
    }

    @Test
    void shouldRefuseWhatCannotBeSharded() {
        assertThatThrownBy(() -> ShardSet.write(folder, "tiny", TRAIN, TEST, 12))
                .hasMessage("11 samples cannot be cut into 12 shards");
        assertThatThrownBy(() -> ShardSet.write(folder, "../tiny", TRAIN, TEST, 1))
                .hasMessageStartingWith("a dataset's name must have 1 to 100 letters");
        ImageSamples other = new ImageSamples(1, 3, 2, new byte[6], new byte[1]);
        assertThatThrownBy(() -> ShardSet.write(folder, "tiny", TRAIN, other, 1))
                .hasMessage("training images have the shape [1, 2, 3], test images [1, 3, 2]");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void shouldRefuseShardsWhosePartsDisagree() {
        DatasetDescription description = TestShards.shard().description();

        assertThatThrownBy(() -> new Shard(description, TestShards.samples(4)))
                .hasMessage("the description states 5 samples, there are 4");
        assertThatThrownBy(() -> new Shard(description, new ImageSamples(1, 1, 1, new byte[5], new byte[5])))
                .hasMessage("the description states the shape [1, 2, 3], the images have [1, 1, 1]");
        assertThatThrownBy(() ->
                        new Shard(description, new ImageSamples(1, 2, 3, new byte[30], new byte[] {0, 3, 0, 0, 0})))
                .hasMessage("the largest label is 3, there are 3 classes");
    }
}
