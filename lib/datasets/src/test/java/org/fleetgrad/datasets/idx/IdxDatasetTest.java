package org.fleetgrad.datasets.idx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.idx.IdxFile.IdxArray;
import org.fleetgrad.testing.SharedData;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdxDatasetTest {

    private static final ImageSamples TRAIN =
            new ImageSamples(1, 2, 1, new byte[] {1, 2, 3, 4, 5, 6}, new byte[] {0, 1, (byte) 255});
    private static final ImageSamples TEST = new ImageSamples(1, 2, 1, new byte[] {7, 8}, new byte[] {2});

    @TempDir
    private Path folder;

    @BeforeEach
    void writeDataset() throws IOException {
        IdxDataset.write(folder, TRAIN, TEST);
    }

    @Test
    void shouldOpenWhatItWrote() throws IOException {
        IdxDataset dataset = IdxDataset.open(folder);

        assertThat(dataset.train().images()).isEqualTo(TRAIN.images());
        assertThat(dataset.train().labels()).isEqualTo(TRAIN.labels());
        assertThat(dataset.train().shape()).isEqualTo(TRAIN.shape());
        assertThat(dataset.test().images()).isEqualTo(TEST.images());
        assertThat(folder.toFile().list()).containsExactlyInAnyOrderElementsOf(IdxDataset.fileNames());
    }

    @Test
    void shouldFindTheUsualNames() throws IOException {
        Files.move(file("train-images-idx3-ubyte.gz"), file("train-images.idx3-ubyte.gz"));
        IdxFile.write(new IdxArray(List.of(1), new byte[] {5}), file("t10k-labels.idx1-ubyte"));
        Files.delete(file("t10k-labels-idx1-ubyte.gz"));

        IdxDataset dataset = IdxDataset.open(folder);

        assertThat(dataset.train().count()).isEqualTo(3);
        assertThat(dataset.test().label(0)).isEqualTo(5);
    }

    @Test
    void shouldReadTheOriginalMnist() throws IOException {
        IdxDataset mnist = IdxDataset.open(SharedData.require("data/mnist"));

        assertThat(mnist.train().count()).isEqualTo(60_000);
        assertThat(mnist.test().count()).isEqualTo(10_000);
        assertThat(mnist.train().shape()).containsExactly(1, 28, 28);
        assertThat(mnist.train().slice(0, 5).labels().toArray()).containsExactly(5, 0, 4, 1, 9);
    }

    @Test
    void shouldListTheNamesLookedForWhenAFileIsMissing() throws IOException {
        Files.delete(file("t10k-images-idx3-ubyte.gz"));

        assertThatThrownBy(() -> IdxDataset.open(folder))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessage(folder + ": none of these files exists: t10k-images-idx3-ubyte, "
                        + "t10k-images-idx3-ubyte.gz, t10k-images.idx3-ubyte, t10k-images.idx3-ubyte.gz");
    }

    @Test
    void shouldRefuseCountsThatDisagree() throws IOException {
        IdxFile.write(new IdxArray(List.of(2), new byte[2]), file("train-labels-idx1-ubyte.gz"));

        assertThatThrownBy(() -> IdxDataset.open(folder))
                .isInstanceOf(InvalidIdxException.class)
                .hasMessage("%s has 3 images, %s has 2 labels"
                        .formatted(file("train-images-idx3-ubyte.gz"), file("train-labels-idx1-ubyte.gz")));
    }

    @Test
    void shouldRefuseLabelsWhereImagesAreDue() throws IOException {
        IdxFile.write(new IdxArray(List.of(3), new byte[3]), file("train-images-idx3-ubyte.gz"));

        assertThatThrownBy(() -> IdxDataset.open(folder))
                .isInstanceOf(InvalidIdxException.class)
                .hasMessage(file("train-images-idx3-ubyte.gz") + " has 1 dimensions, images have 3");
    }

    @Test
    void shouldRefuseImagesWithoutPixels() throws IOException {
        IdxFile.write(new IdxArray(List.of(3, 0, 5), new byte[0]), file("train-images-idx3-ubyte.gz"));

        assertThatThrownBy(() -> IdxDataset.open(folder))
                .isInstanceOf(InvalidIdxException.class)
                .hasMessage(file("train-images-idx3-ubyte.gz") + " has no pixels: dimensions [3, 0, 5]");
    }

    @Test
    void shouldRefuseToWriteColourImages() {
        ImageSamples colour = new ImageSamples(3, 1, 1, new byte[3], new byte[1]);
        assertThatThrownBy(() -> IdxDataset.write(folder, colour, TEST))
                .hasMessage("this IDX dataset takes images of 1 channel; they have 3");
    }

    private Path file(String name) {
        return folder.resolve(name);
    }
}
