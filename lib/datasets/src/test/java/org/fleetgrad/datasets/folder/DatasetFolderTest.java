package org.fleetgrad.datasets.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import javax.imageio.ImageIO;
import org.fleetgrad.datasets.ImageDataset;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.Labels;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.cifar.Cifar;
import org.fleetgrad.datasets.cifar.CifarFormat;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.idx.IdxDataset;
import org.fleetgrad.testing.SharedData;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import us.hebi.matlab.mat.format.Mat5;
import us.hebi.matlab.mat.types.MatlabType;

class DatasetFolderTest {

    private static final byte[] TEN = Cifar.records(CifarFormat.CIFAR10, 0, 9);
    private static final byte[] HUNDRED = Cifar.records(CifarFormat.CIFAR100, 0, 99);

    @TempDir
    private Path parent;

    private Path folder;

    @BeforeEach
    void createFolder() throws IOException {
        folder = Files.createDirectory(parent.resolve("letters"));
    }

    @Test
    void shouldNameIdxFilesAfterTheirFolderAndNumberTheirClasses() throws IOException {
        idx(25);

        ImageDataset dataset = read();

        assertThat(dataset.name()).isEqualTo("letters");
        assertThat(dataset.classes()).hasSize(26).startsWith("0", "1").endsWith("25");
    }

    @Test
    void shouldBelieveTheNameThatFetchLeft() throws IOException {
        idx(3);
        NameFile.write(folder, "fashion-mnist");

        ImageDataset dataset = read();

        assertThat(dataset.name()).isEqualTo("fashion-mnist");
        assertThat(dataset.classes()).hasSize(10).startsWith("T-shirt/top");
        assertThat(named("mnist").classes()).hasSize(10).startsWith("0");
        assertThat(named("mine").classes()).containsExactly("0", "1", "2", "3");
    }

    @Test
    void shouldRefuseANameThatContradictsTheLabels() throws IOException {
        idx(25);

        assertThatThrownBy(() -> named("mnist"))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessage(
                        "%s: the dataset's name is mnist, which has 10 classes, but there is a label 25; give it another name (--dataset-name)",
                        folder);
        assertThatThrownBy(() -> named("../x")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldProposeANameWhereTheFolderHasNone() throws IOException {
        folder = Files.createDirectory(parent.resolve("(my) letters"));
        idx(2);

        assertThatThrownBy(this::read)
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageEndingWith("cannot be the dataset's name; name it, such as --dataset-name my--letters");
        Files.writeString(folder.resolve(NameFile.FILE_NAME), "two\nlines\n");
        assertThatThrownBy(this::read).hasMessageContaining("dataset-name.txt must hold the dataset's name alone");
    }

    @Test
    void shouldReadTheOfficialFilesOfCifar10() throws IOException {
        for (int batch = 1; batch <= 5; batch++) {
            file("data_batch_%d.bin%s".formatted(batch, batch == 3 ? ".gz" : ""), batch == 3 ? Cifar.gzip(TEN) : TEN);
        }
        file("test_batch.bin", TEN);
        Files.writeString(folder.resolve("batches.meta.txt"), "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n\n");

        ImageDataset dataset = read();

        assertThat(dataset.name()).isEqualTo("cifar10");
        assertThat(dataset.classes()).containsExactly("a", "b", "c", "d", "e", "f", "g", "h", "i", "j");
        assertThat(dataset.train().count()).isEqualTo(10);
        assertThat(dataset.test().labels()).isEqualTo(Labels.of(0, 9));

        Files.delete(folder.resolve("data_batch_4.bin"));
        assertThatThrownBy(this::read)
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("it lacks [data_batch_4.bin] (.bin or .bin.gz) of cifar10");
        file("data_batch_4.bin", TEN);
        file("data_batch_1.bin.gz", Cifar.gzip(TEN));
        assertThatThrownBy(this::read).hasMessageContaining("has the same records twice, data_batch_1.bin");
    }

    @Test
    void shouldReadTheOfficialFilesAndTheArchiveOfCifar100() throws IOException {
        file("train.bin", HUNDRED);
        file("test.bin.gz", Cifar.gzip(HUNDRED));
        assertThat(read().name()).isEqualTo("cifar100");
        assertThat(read().classes()).hasSize(100).startsWith("apple");

        folder = Files.createDirectory(parent.resolve("archive"));
        Cifar.archive(
                folder.resolve("cifar-100-binary.tar.gz"),
                Map.of("cifar-100-binary/train.bin", HUNDRED, "cifar-100-binary/test.bin", HUNDRED));
        ImageDataset dataset = read();
        assertThat(dataset.name()).isEqualTo("cifar100");
        assertThat(dataset.train().labels()).isEqualTo(Labels.of(0, 99));

        Files.writeString(folder.resolve("fine_label_names.txt"), "only one\n");
        assertThatThrownBy(this::read).hasMessageEndingWith("names 1 classes, cifar100 has 100");
    }

    @Test
    void shouldReadRecordsUnderOtherNames() throws IOException {
        file("my-train-1.bin", TEN);
        file("my-train-2.bin", TEN);
        file("my-test.bin", TEN);

        assertThat(read().name()).isEqualTo("cifar10");
        assertThat(read().train().count()).isEqualTo(4);

        Files.delete(folder.resolve("my-test.bin"));
        assertThatThrownBy(this::read).hasMessageContaining("it lacks [*test*.bin] (.bin or .bin.gz) of cifar10");
        file("test_batch.bin", TEN);
        assertThatThrownBy(this::read)
                .hasMessageContaining("has records under official names, [test_batch.bin], and under others");
    }

    @Test
    void shouldReadRealColourImages() throws IOException {
        ImageDataset dataset =
                (ImageDataset) DatasetFolder.read(SharedData.require("data/cifar10"), FolderOptions.NONE);

        assertThat(dataset.name()).isEqualTo("cifar10");
        assertThat(dataset.train().count()).isEqualTo(10_000);
        assertThat(dataset.test().count()).isEqualTo(2_000);
        // The labels of the first images of CIFAR-10: frog, truck, truck, deer, automobile; cat, ship, ship.
        assertThat(dataset.train().labels().slice(0, 5)).isEqualTo(Labels.of(6, 9, 9, 4, 1));
        assertThat(dataset.test().labels().slice(0, 3)).isEqualTo(Labels.of(3, 8, 8));
        // Of all 50,000 images these are 0.4914, 0.4822, 0.4465 and 0.2470, 0.2435, 0.2616.
        Normalization normalization = Normalization.of(dataset.train());
        for (int channel = 0; channel < 3; channel++) {
            assertThat(normalization.mean().get(channel))
                    .isBetween(
                            List.of(0.486f, 0.477f, 0.441f).get(channel),
                            List.of(0.497f, 0.488f, 0.452f).get(channel));
            assertThat(normalization.std().get(channel))
                    .isBetween(
                            List.of(0.242f, 0.239f, 0.257f).get(channel),
                            List.of(0.252f, 0.248f, 0.266f).get(channel));
        }
    }

    @Test
    void shouldReadSvhn() throws IOException {
        for (String split : List.of("train", "test")) {
            Mat5.writeToFile(
                    Mat5.newMatFile()
                            .addArray("X", Mat5.newMatrix(new int[] {32, 32, 3, 1}, MatlabType.UInt8))
                            .addArray("y", Mat5.newScalar(10)),
                    folder.resolve(split + "_32x32.mat").toFile());
        }

        assertThat(read().name()).isEqualTo("svhn");
        assertThat(read().classes()).hasSize(10).startsWith("0");
        assertThat(read().test().labels()).isEqualTo(Labels.of(0));
    }

    @Test
    void shouldReadImagesWithTheirHeldOutFolder() throws IOException {
        image("train/cat/1.png");
        assertThatThrownBy(this::read)
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageContaining("each of the 1 classes has one image, so none can be held out");
        image("val/cat/1.png");

        assertThat(read().name()).isEqualTo("letters");
        assertThat(read().classes()).containsExactly("cat");
        FolderOptions sized = new FolderOptions(Optional.of("pets"), OptionalInt.of(3));
        assertThat(DatasetFolder.read(folder, sized).schema().task().input()).containsExactly(3, 3, 3);
        assertThat(DatasetFolder.read(folder, sized).name()).isEqualTo("pets");
    }

    @Test
    void shouldRefuseAFolderOfNothingOrOfTwoKinds() throws IOException {
        assertThatThrownBy(this::read)
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("no dataset is in it; understood are\n  IDX")
                .hasMessageContaining("cifar-10-binary.tar.gz")
                .hasMessageContaining("cifar100")
                .hasMessageContaining("train_32x32.mat")
                .hasMessageContaining("train/CLASS/");
        idx(2);
        file("train.bin", HUNDRED);
        assertThatThrownBy(this::read)
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageStartingWith("%s has files of 2 kinds of datasets, one at a time is read:\n  IDX", folder)
                .hasMessageContaining("\n  cifar100: ");
        assertThatThrownBy(() -> DatasetFolder.read(folder.resolve("none"), FolderOptions.NONE))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("there is no such folder or file");
    }

    @Test
    void shouldRefuseASizeForWhatIsNotResized() throws IOException {
        idx(2);

        assertThatThrownBy(() -> DatasetFolder.read(folder, new FolderOptions(Optional.empty(), OptionalInt.of(32))))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageStartingWith("%s: an image size (--image-size 32) is for folders of PNG and JPEG", folder);
        assertThatThrownBy(() -> new FolderOptions(Optional.empty(), OptionalInt.of(0)))
                .hasMessage("an image size must be 1 or more pixels; it is 0");
    }

    private ImageDataset read() throws IOException {
        return (ImageDataset) DatasetFolder.read(folder, FolderOptions.NONE);
    }

    private ImageDataset named(String name) throws IOException {
        return (ImageDataset) DatasetFolder.read(folder, new FolderOptions(Optional.of(name), OptionalInt.empty()));
    }

    private void idx(int largestLabel) throws IOException {
        ImageSamples samples = new ImageSamples(1, 1, 1, new byte[2], new byte[] {0, (byte) largestLabel});
        IdxDataset.write(folder, samples, samples);
    }

    private void file(String name, byte[] content) throws IOException {
        Files.write(folder.resolve(name), content);
    }

    private void image(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        ImageIO.write(new BufferedImage(5, 4, BufferedImage.TYPE_INT_RGB), "png", file.toFile());
    }
}
