package org.fleetgrad.datasets.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import javax.imageio.ImageIO;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.Labels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageClassesTest {

    private static final Color CORAL = new Color(200, 100, 50);

    @TempDir
    private Path folder;

    @Test
    void shouldTakeAClassFromEachFolderInTheOrderOfTheirNames() throws IOException {
        write("train/dog/b.png", plain(4, 3, CORAL));
        write("train/cat/a.png", plain(4, 3, Color.BLUE));
        write("train/cat/.hidden.png", plain(9, 9, Color.RED));
        write("train/cat/c.jpg", plain(4, 3, CORAL));
        write("test/dog/x.png", plain(4, 3, Color.GREEN));
        Files.writeString(folder.resolve("train/dog/Thumbs.db"), "litter");

        ImageClasses read = read(OptionalInt.empty());

        assertThat(read.classes()).containsExactly("cat", "dog");
        assertThat(read.train().count()).isEqualTo(3);
        assertThat(read.test().labels()).isEqualTo(Labels.of(1));
        assertThat(read.train().shape()).containsExactly(3, 3, 4);
        assertThat(pixel(read, of(read, 1))).containsExactly(200, 100, 50);
        List<int[]> cats = IntStream.range(0, 3)
                .filter(i -> read.train().label(i) == 0)
                .mapToObj(i -> pixel(read, i))
                .toList();
        int blue = cats.get(0)[2] == 255 ? 0 : 1;
        assertThat(cats).hasSize(2);
        assertThat(cats.get(blue)).containsExactly(0, 0, 255);
        for (int channel = 0; channel < 3; channel++) {
            assertThat(cats.get(1 - blue)[channel]).isCloseTo(new int[] {200, 100, 50}[channel], within(4));
        }
        assertThat(read.notes()).isEmpty();
    }

    @Test
    void shouldKeepGreyImagesGreyWithoutBrighteningThem() throws IOException {
        BufferedImage grey = new BufferedImage(2, 2, BufferedImage.TYPE_BYTE_GRAY);
        grey.getRaster().setSample(1, 0, 0, 77);
        write("train/a/1.png", grey);
        write("train/b/2.jpg", plainGrey(2, 2, 90));
        write("val/a/1.png", grey);

        ImageClasses read = read("val", options(OptionalInt.empty()));

        assertThat(read.train().shape()).containsExactly(1, 2, 2);
        assertThat(read.test().images()).containsExactly(0, 77, 0, 0);
        assertThat(Byte.toUnsignedInt(read.train().images()[4 * of(read, 1)])).isCloseTo(90, within(2));
    }

    @Test
    void shouldMakeAllImagesColouredIfOneIs() throws IOException {
        write("train/a/1.png", plainGrey(2, 2, 60));
        write("train/b/1.png", plain(2, 2, CORAL));
        write("test/a/1.png", plainGrey(2, 2, 60));

        ImageClasses read = read(OptionalInt.empty());

        assertThat(pixel(read, of(read, 0))).containsExactly(60, 60, 60);
        assertThat(pixel(read, of(read, 1))).containsExactly(200, 100, 50);
        assertThat(read.notes())
                .containsExactly("2 of 3 images are grey: their values are repeated as red, green and blue");
    }

    @Test
    void shouldResizeTheShortSideAndCropTheCentre() throws IOException {
        // 8 x 4: the middle square is red on its left half and blue on its right; white beside it.
        BufferedImage wide = plain(8, 4, Color.WHITE);
        Graphics2D draw = wide.createGraphics();
        draw.setColor(Color.RED);
        draw.fillRect(2, 0, 2, 4);
        draw.setColor(Color.BLUE);
        draw.fillRect(4, 0, 2, 4);
        draw.dispose();
        write("train/b/wide.png", wide);
        write("train/a/tall.png", plain(3, 9, CORAL));
        write("test/a/exact.png", plain(2, 2, CORAL));

        ImageClasses read = read(OptionalInt.of(2));

        assertThat(read.train().shape()).containsExactly(3, 2, 2);
        byte full = (byte) 255;
        int at = 12 * of(read, 1);
        assertThat(Arrays.copyOfRange(read.train().images(), at, at + 12))
                .containsExactly(full, 0, full, 0, 0, 0, 0, 0, 0, full, 0, full);
        assertThat(pixel(read, of(read, 0))).containsExactly(200, 100, 50);
    }

    @Test
    void shouldBringImagesOfAllSizesToTheMedian() throws IOException {
        write("train/a/1.png", plain(4, 4, CORAL));
        write("train/a/2.png", plain(7, 5, CORAL));
        write("test/a/1.png", plain(20, 9, CORAL));

        ImageClasses read = read(OptionalInt.empty());

        assertThat(read.train().shape()).containsExactly(3, 5, 5);
        assertThat(read.test().shape()).containsExactly(3, 5, 5);
        assertThat(read.notes())
                .containsExactly(
                        "3 images of 3 sizes, from 4 x 4 to 20 x 9, median 7 x 5 pixels: brought to 5 x 5, the shorter side of the median, at most 224 (--image-size N for another size)");
    }

    @Test
    void shouldListBrokenFilesAndLeaveThemOutOnDemand() throws IOException {
        for (int i = 0; i < 12; i++) {
            Path file = folder.resolve("train/a/%02d.png".formatted(i));
            Files.createDirectories(file.getParent());
            Files.writeString(file, "no image");
        }
        write("train/a/good.png", plain(40, 40, CORAL));
        write("train/b/good.png", plain(40, 40, Color.BLUE));
        write("test/a/good.png", plain(40, 40, CORAL));
        // Its header is whole, so it is found when it is decoded.
        byte[] whole = Files.readAllBytes(folder.resolve("test/a/good.png"));
        Path cut = Files.write(folder.resolve("train/b/cut.png"), Arrays.copyOf(whole, whole.length / 2));

        assertThatThrownBy(() -> read(OptionalInt.empty()))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageStartingWith(
                        "12 of 16 files are not images that can be read; repair or remove them, or leave them out with --skip-broken:\n  %s is neither a PNG nor a JPEG file\n",
                        folder.resolve("train/a/00.png"))
                .hasMessageEndingWith("09.png is neither a PNG nor a JPEG file\n  and 2 more");
        ImageClasses read =
                read("test", new ImageOptions(OptionalInt.empty(), Optional.empty(), OptionalDouble.empty(), true));
        assertThat(read.train().count()).isEqualTo(2);
        assertThat(pixel(read, of(read, 0))).containsExactly(200, 100, 50);
        assertThat(pixel(read, of(read, 1))).containsExactly(0, 0, 255);
        assertThat(read.notes()).hasSize(1).first().asString().startsWith("13 of 16 files are broken and left out");

        for (int i = 0; i < 12; i++) {
            Files.delete(folder.resolve("train/a/%02d.png".formatted(i)));
        }
        assertThatThrownBy(() -> read(OptionalInt.empty()))
                .hasMessageStartingWith("%s cannot be decoded: ", cut)
                .hasMessageEndingWith("; repair or remove it, or leave it out with --skip-broken");
    }

    @Test
    void shouldRefuseAClassOfBrokenFilesOnly() throws IOException {
        write("train/a/1.png", plain(4, 4, CORAL));
        write("test/a/1.png", plain(4, 4, CORAL));
        Files.createDirectories(folder.resolve("train/b"));
        Files.writeString(folder.resolve("train/b/1.png"), "no image");

        assertThatThrownBy(() -> read(
                        "test", new ImageOptions(OptionalInt.empty(), Optional.empty(), OptionalDouble.empty(), true)))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessage("%s: all images of the class 'b' are broken", folder.resolve("train"));
    }

    @Test
    void shouldNameABrokenImage() throws IOException {
        Path good = write("train/a/1.png", plain(40, 40, CORAL));
        write("test/a/1.png", plain(40, 40, CORAL));
        Path text = Files.writeString(folder.resolve("train/a/2.png"), "no image");
        assertThatThrownBy(() -> read(OptionalInt.empty()))
                .hasMessageStartingWith("%s is neither a PNG nor a JPEG file", text);

        byte[] whole = Files.readAllBytes(good);
        for (int length : new int[] {9, 30, 45, whole.length / 2}) {
            Path cut = Files.write(text, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> read(OptionalInt.of(8)))
                    .as("the first %d bytes", length)
                    .isInstanceOf(InvalidDatasetException.class)
                    .hasMessageStartingWith("%s cannot be decoded: ", cut);
        }
    }

    @Test
    void shouldRefuseAnImageOfTooManyPixelsBeforeItIsDecoded() throws IOException {
        write("train/a/1.png", plain(4, 4, CORAL));
        write("test/a/1.png", plain(4, 4, CORAL));
        Path bomb = Files.write(folder.resolve("train/a/bomb.png"), pngThatClaims(60_000, 50_000));

        assertThatThrownBy(() -> read(OptionalInt.of(4)))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageStartingWith(
                        "%s states 60000 x 50000 pixels, the limit is 16777216 in all; make it smaller", bomb);
    }

    @Test
    void shouldRefuseWhatDoesNotBelongThere() throws IOException {
        write("train/a/1.png", plain(4, 4, CORAL));
        write("test/a/1.png", plain(4, 4, CORAL));
        Path stray = Files.writeString(folder.resolve("train/readme.txt"), "x");
        assertThatThrownBy(() -> read(OptionalInt.empty()))
                .hasMessage("%s is not a folder; %s must have one folder for each class", stray, stray.getParent());
        Files.delete(stray);

        Path other = Files.writeString(folder.resolve("train/a/1.webp"), "x");
        assertThatThrownBy(() -> read(OptionalInt.empty()))
                .hasMessageStartingWith("%s is not a file that ends in .png, .jpg or .jpeg", other);
        Files.delete(other);

        Path empty = Files.createDirectories(folder.resolve("train/empty"));
        assertThatThrownBy(() -> read(OptionalInt.empty()))
                .hasMessage("%s has no images; remove it, or add some", empty);
        Files.delete(empty);

        write("test/b/1.png", plain(4, 4, CORAL));
        assertThatThrownBy(() -> read(OptionalInt.empty()))
                .hasMessage(
                        "%s is the folder of a class that has no training images; the 1 classes are [a]",
                        folder.resolve("test/b"));
        Files.delete(folder.resolve("test/b/1.png"));
        Files.delete(folder.resolve("test/b"));
        assertThatThrownBy(() -> read(OptionalInt.of(1025)))
                .hasMessage("the image size must be from 1 to 1024 pixels; it is 1025");
    }

    private ImageClasses read(OptionalInt size) throws IOException {
        return read("test", options(size));
    }

    private ImageClasses read(String test, ImageOptions options) throws IOException {
        List<String> classes = ClassFolder.classes(folder.resolve("train"));
        return ImageClasses.read(
                classes,
                ClassFolder.list(folder.resolve("train"), classes),
                Optional.of(ClassFolder.list(folder.resolve(test), classes)),
                options);
    }

    private static ImageOptions options(OptionalInt size) {
        return new ImageOptions(size, Optional.empty(), OptionalDouble.empty(), false);
    }

    /** Returns the place of the only training image of a class. */
    private static int of(ImageClasses read, int label) {
        return IntStream.range(0, read.train().count())
                .filter(i -> read.train().label(i) == label)
                .reduce((one, other) -> -1)
                .orElseThrow();
    }

    /** Returns the first pixel of a training image. */
    private static int[] pixel(ImageClasses read, int index) {
        int plane = read.train().height() * read.train().width();
        int[] values = new int[3];
        for (int channel = 0; channel < 3; channel++) {
            values[channel] = Byte.toUnsignedInt(
                    read.train().images()[index * read.train().imageBytes() + channel * plane]);
        }
        return values;
    }

    private Path write(String name, BufferedImage image) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        assertThat(ImageIO.write(image, name.endsWith("png") ? "png" : "jpeg", file.toFile()))
                .isTrue();
        return file;
    }

    private static BufferedImage plain(int width, int height, Color color) {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D draw = image.createGraphics();
        draw.setColor(color);
        draw.fillRect(0, 0, width, height);
        draw.dispose();
        return image;
    }

    private static BufferedImage plainGrey(int width, int height, int value) {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_BYTE_GRAY);
        for (int i = 0; i < width * height; i++) {
            image.getRaster().setSample(i % width, i / width, 0, value);
        }
        return image;
    }

    private static byte[] pngThatClaims(int width, int height) throws IOException {
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        DataOutputStream fields = new DataOutputStream(header);
        fields.write("IHDR".getBytes(StandardCharsets.US_ASCII));
        fields.writeInt(width);
        fields.writeInt(height);
        fields.write(new byte[] {8, 2, 0, 0, 0});
        CRC32 crc = new CRC32();
        crc.update(header.toByteArray());
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(png);
        out.write(new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'});
        out.writeInt(13);
        out.write(header.toByteArray());
        out.writeInt((int) crc.getValue());
        return png.toByteArray();
    }
}
