package org.fleetgrad.datasets.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import javax.imageio.ImageIO;
import org.fleetgrad.datasets.ImageDataset;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.LabelledTextDataset;
import org.fleetgrad.datasets.TableDataset;
import org.fleetgrad.datasets.TextDataset;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.folder.DatasetFolder.PictureOptions;
import org.fleetgrad.datasets.table.TableOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pictures as people have them: a folder for each class without a split, or a table of paths and labels. */
class PicturesTest {

    @TempDir
    private Path folder;

    private static FolderOptions options(OptionalDouble holdOut, boolean skipsBroken) {
        return new FolderOptions(
                Optional.of("pets"),
                OptionalInt.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                TableOptions.NONE,
                holdOut,
                new PictureOptions(skipsBroken, Optional.empty()));
    }

    private ImageDataset read(Path source) throws IOException {
        return (ImageDataset) DatasetFolder.read(source, options(OptionalDouble.empty(), false));
    }

    private void image(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        ImageIO.write(new BufferedImage(5, 4, BufferedImage.TYPE_INT_RGB), "png", file.toFile());
    }

    private void classes(String... names) throws IOException {
        for (String name : names) {
            for (int i = 0; i < 20; i++) {
                image("%s/%d.png".formatted(name, i));
            }
        }
    }

    @Test
    void shouldHoldOutATenthOfEachClassOfAFolderWithoutASplit() throws IOException {
        classes("cat", "dog");
        Files.writeString(folder.resolve("LICENSE.txt"), "about the data");
        Files.writeString(folder.resolve("classes.txt"), "cat dog");

        ImageDataset dataset = read(folder);

        assertThat(dataset.classes()).containsExactly("cat", "dog");
        assertThat(dataset.train().count()).isEqualTo(36);
        assertThat(dataset.test().count()).isEqualTo(4);
        assertThat(dataset.test().labels().toArray()).containsExactlyInAnyOrder(0, 0, 1, 1);
        assertThat(dataset.notes())
                .containsExactly(
                        "4 of 40 images are held out, a share of 0.1 of each class, the same each time (--hold-out)");
        ImageDataset half = (ImageDataset) DatasetFolder.read(folder, options(OptionalDouble.of(0.5), false));
        assertThat(half.test().count()).isEqualTo(20);
    }

    @Test
    void shouldHoldOutOfTrainIfThereIsNothingElse() throws IOException {
        classes("train/cat", "train/dog");

        assertThat(read(folder).test().count()).isEqualTo(4);
        image("valid/cat/1.png");
        assertThat(read(folder).test().count()).isEqualTo(1);
        assertThatThrownBy(() -> DatasetFolder.read(folder, options(OptionalDouble.of(0.5), false)))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageContaining("has held-out images of its own")
                .hasMessageContaining("leave out --hold-out");
    }

    @Test
    void shouldTakeTrainAsAClassAmongOthers() throws IOException {
        classes("car", "plane", "train");

        assertThat(read(folder).classes()).containsExactly("car", "plane", "train");
    }

    @Test
    void shouldRefuseFoldersThatAreNoClasses() throws IOException {
        classes("cat");
        assertThatThrownBy(() -> read(folder))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessage(
                        "%s has one folder, [cat]; a classifier needs 2 classes or more, each in a folder of its own",
                        folder);
        classes("dog");
        image("1.png");
        assertThatThrownBy(() -> read(folder))
                .hasMessage(
                        "%s lies beside the folders of the classes; move it into that of its class",
                        folder.resolve("1.png"));
        Files.delete(folder.resolve("1.png"));
        Files.createDirectories(folder.resolve("empty"));
        assertThatThrownBy(() -> read(folder))
                .hasMessage("%s has no images; remove it, or add some", folder.resolve("empty"));
    }

    @Test
    void shouldTakeFlatSplitsForNoClasses() throws IOException {
        image("train/1.png");
        image("test/1.png");

        assertThatThrownBy(() -> read(folder))
                .hasMessage(
                        "%s is not a folder; %s must have one folder for each class",
                        folder.resolve("train/1.png"), folder.resolve("train"));
    }

    @Test
    void shouldStillReadTextsBesideAFolderOfImages() throws IOException {
        image("figures/1.png");
        Files.writeString(folder.resolve("poem.txt"), "words ".repeat(100));

        assertThat(DatasetFolder.read(folder, options(OptionalDouble.empty(), false)))
                .isInstanceOf(TextDataset.class);
        assertThatThrownBy(() -> DatasetFolder.read(folder, options(OptionalDouble.empty(), true)))
                .hasMessageContaining(
                        "broken files can be left out (--skip-broken) of PNG and JPEG images; this is texts");
        assertThatThrownBy(() -> DatasetFolder.read(folder, options(OptionalDouble.of(0.2), false)))
                .hasMessageContaining(
                        "a share to hold out (--hold-out 0.2) is for images, texts with labels, tables and arrays");
    }

    @Test
    void shouldReadATableOfPathsAndLabels() throws IOException {
        StringBuilder rows = new StringBuilder("\uFEFFid,label,path\r\n");
        for (int i = 0; i < 20; i++) {
            image("images/%d.png".formatted(i));
            rows.append("%d,%s,\"images/%d.png\"\r\n".formatted(i, i % 2 == 0 ? "dog" : "cat", i));
        }
        Path table = Files.writeString(folder.resolve("labels.csv"), rows);

        for (Path source : List.of(table, folder)) {
            ImageDataset dataset = read(source);
            assertThat(dataset.classes()).containsExactly("cat", "dog");
            assertThat(dataset.train().count()).isEqualTo(18);
            assertThat(dataset.test().labels().toArray()).containsExactlyInAnyOrder(0, 1);
            assertThat(dataset.notes()).hasSize(1).first().asString().startsWith("2 of 20 images are held out");
        }
        image("more/1.png");
        Files.writeString(folder.resolve("test.csv"), "path,label\nmore/1.png,dog\n");
        assertThat(read(folder).test().count()).isEqualTo(1);
        assertThat(read(folder).notes()).isEmpty();
    }

    @Test
    void shouldReadTextsFromATableThatHasBoth() throws IOException {
        Files.writeString(folder.resolve("a.csv"), "path,label,text\nx,a,one\ny,b,two\nz,a,three\n");

        assertThat(DatasetFolder.read(folder, FolderOptions.NONE.withTokenizer("bytes")))
                .isInstanceOf(LabelledTextDataset.class);
    }

    @Test
    void shouldReadATableOfPathsAsRowsIfATargetIsNamed() throws IOException {
        StringBuilder rows = new StringBuilder("path,label,width\n");
        for (int i = 0; i < 20; i++) {
            image("%d.png".formatted(i));
            rows.append("%d.png,%s,%d\n".formatted(i, i % 2 == 0 ? "dog" : "cat", i % 3));
        }
        Path table = Files.writeString(folder.resolve("labels.csv"), rows);
        TableOptions target = TableOptions.of(List.of("label"), List.of(), List.of());

        for (Path source : List.of(table, folder)) {
            FolderOptions options = options(OptionalDouble.empty(), false);
            assertThat(DatasetFolder.read(source, options)).isInstanceOf(ImageDataset.class);
            assertThat(DatasetFolder.read(source, options.withTable(target))).isInstanceOf(TableDataset.class);
        }
        assertThatThrownBy(() -> DatasetFolder.read(
                        table, options(OptionalDouble.empty(), true).withTable(target)))
                .hasMessageContaining("(--skip-broken) of PNG and JPEG images; this is a table, with --target COLUMN");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a.png,x;../b.png,y|line 3 has the path '../b.png', which leads out of the folder of the table",
                "a.png,x;/etc/b.png,y|line 3 has the path '/etc/b.png', which leads out",
                "a.png,x;b/../../c.png,y|line 3 has the path 'b/../../c.png', which leads out",
                "a.png,x;./a.png,y|line 3 names ./a.png, as line 2 of labels.csv does: name each image once",
                "a.png,x;b.png,y|does not exist; repair or remove it, or leave it out with --skip-broken",
                "a.png,x;b.png,x|all 2 rows have the label 'x'; a classifier needs 2 classes or more",
                "a.png,x;,y|line 3 has an empty path",
                "a.png,x;b.png|line 3 has 1 columns, and no 'label'",
                "a.png,x;\"b.png,y|is not CSV"
            })
    void shouldRefuseAWrongTableWithItsLine(String rows, String message) throws IOException {
        image("a.png");
        Path table = Files.writeString(folder.resolve("labels.csv"), "path,label\n" + rows.replace(';', '\n') + "\n");

        assertThatThrownBy(() -> read(table))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldRefuseAPathWithAZeroByte() throws IOException {
        Path table = Files.write(
                folder.resolve("labels.csv"), "path,label\na\0.png,x\nb,y\n".getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> read(table))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageContaining("line 2 has 'a\uFFFD.png', which is not a path");
    }

    @Test
    void shouldLeaveOutRowsWithoutAnImageOnDemand() throws IOException {
        image("a.png");
        image("b.png");
        image("c.png");
        Files.writeString(folder.resolve("labels.csv"), "path,label\na.png,x\nb.png,y\nc.png,y\nd.png,y\n");

        ImageDataset dataset = (ImageDataset) DatasetFolder.read(folder, options(OptionalDouble.empty(), true));

        assertThat(dataset.train().count()).isEqualTo(2);
        assertThat(dataset.notes()).last().asString().endsWith("d.png does not exist");
    }
}
