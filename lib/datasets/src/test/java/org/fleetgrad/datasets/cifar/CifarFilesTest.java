package org.fleetgrad.datasets.cifar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.Labels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CifarFilesTest {

    @TempDir
    private Path folder;

    @Test
    void shouldReadPlainAndGzippedFilesInTheirOrder() throws IOException {
        Path plain = write("a.bin", Cifar.records(CifarFormat.CIFAR10, 3, 0));
        Path gzipped = write("b.bin.gz", Cifar.gzip(Cifar.records(CifarFormat.CIFAR10, 9)));

        ImageSamples samples = CifarFiles.read(CifarFormat.CIFAR10, List.of(gzipped, plain));

        assertThat(samples.labels()).isEqualTo(Labels.of(9, 3, 0));
        assertThat(samples.shape()).containsExactly(3, 32, 32);
        assertThat(samples.images()[0]).isEqualTo((byte) 10);
        assertThat(samples.images()[3072]).isEqualTo((byte) 4);
        assertThat(samples.images()[3 * 3072 - 1]).isEqualTo((byte) 1);
    }

    @Test
    void shouldTakeTheFineLabelOfCifar100() throws IOException {
        Path file = write("train.bin", Cifar.records(CifarFormat.CIFAR100, 99, 42));

        ImageSamples samples = CifarFiles.read(CifarFormat.CIFAR100, List.of(file));

        assertThat(samples.labels()).isEqualTo(Labels.of(99, 42));
        assertThat(samples.images()[0]).isEqualTo((byte) 100);
    }

    @Test
    void shouldNameTheClassesAsPublished() {
        assertThat(CifarFormat.CIFAR10.classes())
                .hasSize(10)
                .startsWith("airplane")
                .endsWith("truck");
        assertThat(CifarFormat.CIFAR100.classes())
                .hasSize(100)
                .isSorted()
                .doesNotHaveDuplicates()
                .startsWith("apple")
                .endsWith("worm");
    }

    @Test
    void shouldRefuseFilesOfOtherLengths() throws IOException {
        byte[] two = Cifar.records(CifarFormat.CIFAR10, 1, 2);
        Path shorter = write("short.bin", Arrays.copyOf(two, two.length - 1));
        Path longer = write("long.bin.gz", Cifar.gzip(Arrays.copyOf(two, two.length + 1)));
        Path empty = write("empty.bin", new byte[0]);

        assertThatThrownBy(() -> CifarFiles.read(CifarFormat.CIFAR10, List.of(shorter)))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessage(
                        "%s has 6145 bytes (uncompressed), which are not a whole number of records of cifar10, 3073 bytes each: 3072 bytes are left over",
                        shorter);
        assertThatThrownBy(() -> CifarFiles.read(CifarFormat.CIFAR10, List.of(longer)))
                .hasMessageContaining("%s has 6147 bytes", longer)
                .hasMessageEndingWith(": 1 bytes are left over");
        assertThatThrownBy(() -> CifarFiles.read(CifarFormat.CIFAR10, List.of(empty)))
                .hasMessageContaining("%s has 0 bytes", empty);
    }

    @Test
    void shouldRefuseALabelWithoutAClass() throws IOException {
        Path file = write("labels.bin", Cifar.records(CifarFormat.CIFAR10, 1, 10));

        assertThatThrownBy(() -> CifarFiles.read(CifarFormat.CIFAR10, List.of(file)))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessage("%s: record 1 has the label 10, cifar10 has 10 classes", file);
    }

    @Test
    void shouldNameABrokenGzipFile() throws IOException {
        byte[] gzip = Cifar.gzip(Cifar.records(CifarFormat.CIFAR10, 1, 2));
        Path cut = write("cut.bin.gz", Arrays.copyOf(gzip, gzip.length - 9));
        Path text = write("text.bin.gz", new byte[] {1, 2, 3});

        for (Path file : List.of(cut, text)) {
            assertThatThrownBy(() -> CifarFiles.read(CifarFormat.CIFAR10, List.of(file)))
                    .isInstanceOf(InvalidDatasetException.class)
                    .hasMessageStartingWith("%s is not a complete gzip file: after ", file);
        }
    }

    @Test
    void shouldReadThePublishedArchiveWhateverItsOrderAndPaths() throws IOException {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        entries.put("cifar-10-batches-bin/readme.html", new byte[5]);
        for (int batch = 5; batch >= 1; batch--) {
            entries.put(
                    "../../escape/data_batch_%d.bin".formatted(batch),
                    Cifar.records(CifarFormat.CIFAR10, batch, batch));
        }
        entries.put("/etc/test_batch.bin", Cifar.records(CifarFormat.CIFAR10, 7));
        CifarArchive archive =
                new CifarArchive(CifarFormat.CIFAR10, Cifar.archive(folder.resolve("a.tar.gz"), entries));

        assertThat(archive.train().labels()).isEqualTo(Labels.of(1, 1, 2, 2, 3, 3, 4, 4, 5, 5));
        assertThat(archive.train().images()[9 * 3072]).isEqualTo((byte) 6);
        assertThat(archive.test().labels()).isEqualTo(Labels.of(7));
        assertThat(folder.toFile().list()).containsExactly("a.tar.gz");
    }

    @Test
    void shouldNameWhatAnArchiveLacks() throws IOException {
        Path file = Cifar.archive(
                folder.resolve("b.tar.gz"), Map.of("x/train.bin", Cifar.records(CifarFormat.CIFAR100, 1)));
        Path cut = write("c.tar.gz", Arrays.copyOf(Files.readAllBytes(file), 60));

        assertThatThrownBy(() -> new CifarArchive(CifarFormat.CIFAR100, file).test())
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessage("%s has no file test.bin; of [test.bin] it has []", file);
        assertThatThrownBy(() -> new CifarArchive(CifarFormat.CIFAR100, cut).train())
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageStartingWith("%s is not a complete tar.gz file: ", cut);
    }

    private Path write(String name, byte[] content) throws IOException {
        return Files.write(folder.resolve(name), content);
    }
}
