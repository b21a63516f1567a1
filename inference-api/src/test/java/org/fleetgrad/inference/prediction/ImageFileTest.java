package org.fleetgrad.inference.prediction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import javax.imageio.ImageIO;
import org.awaitility.Awaitility;
import org.fleetgrad.datasets.image.AreaResize;
import org.fleetgrad.datasets.image.Pixels;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.fleetgrad.serving.images.InvalidImagesException.Rule;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImageFileTest {

    private static final String PNG = "image/png";
    private static final String JPEG = "image/jpeg";
    private static final int SIZE = 8;
    private static final Semaphore DECODERS = new Semaphore(1);
    private static final ImageFile GREY = new ImageFile(new ImageShape(1, SIZE, SIZE), 1 << 20, DECODERS);
    private static final ImageFile RGB = new ImageFile(new ImageShape(3, SIZE, SIZE), 1 << 20, DECODERS);

    @AfterEach
    void shouldGiveThePermitBackHoweverDecodingEnded() {
        assertThat(DECODERS.availablePermits()).isEqualTo(1);
    }

    @Test
    void shouldWaitWhileAsManyFilesAreDecodedAsMayBe() throws Exception {
        byte[] png = file(new BufferedImage(SIZE, SIZE, BufferedImage.TYPE_BYTE_GRAY), "png");
        DECODERS.acquire();
        CompletableFuture<Images> waiting;
        try {
            waiting = CompletableFuture.supplyAsync(() -> GREY.read(png, PNG, false));
            Awaitility.await().until(DECODERS::hasQueuedThreads);
            assertThat(waiting).isNotDone();
        } finally {
            DECODERS.release();
        }
        assertThat(waiting.get(60, TimeUnit.SECONDS).pixels()).hasSize(SIZE * SIZE);
    }

    @ParameterizedTest
    @ValueSource(ints = {BufferedImage.TYPE_BYTE_GRAY, BufferedImage.TYPE_INT_RGB, BufferedImage.TYPE_INT_ARGB})
    void shouldReadBackEveryGreyValueOfPng(int type) throws IOException {
        BufferedImage image = new BufferedImage(SIZE, SIZE, type);
        float[] expected = new float[SIZE * SIZE];
        for (int i = 0; i < expected.length; i++) {
            int value = i * 4;
            expected[i] = value;
            setGrey(image, i % SIZE, i / SIZE, value);
        }

        float[] pixels = GREY.read(file(image, "png"), PNG, false).pixels();

        assertThat(pixels).containsExactly(expected, within(1e-4f));
    }

    @Test
    void shouldReadSixteenBitsOfGrey() throws IOException {
        BufferedImage image = new BufferedImage(SIZE, SIZE, BufferedImage.TYPE_USHORT_GRAY);
        image.getRaster().setSample(3, 2, 0, 65535);
        image.getRaster().setSample(4, 2, 0, 32896);

        float[] pixels = GREY.read(file(image, "png"), PNG, false).pixels();

        assertThat(pixels[2 * SIZE + 3]).isEqualTo(255);
        assertThat(pixels[2 * SIZE + 4]).isCloseTo(128, within(1e-3f));
        assertThat(pixels[0]).isZero();
    }

    @Test
    void shouldWeighColoursByLuma() throws IOException {
        BufferedImage image = new BufferedImage(SIZE, SIZE, BufferedImage.TYPE_INT_RGB);
        image.setRGB(0, 0, 0xFF0000);
        image.setRGB(1, 0, 0x00FF00);
        image.setRGB(2, 0, 0x0000FF);

        float[] pixels = GREY.read(file(image, "png"), PNG, false).pixels();

        assertThat(Arrays.copyOf(pixels, 4)).containsExactly(new float[] {76.245f, 149.685f, 29.07f, 0}, within(1e-3f));
    }

    @Test
    void shouldSplitColoursForNetworkOfThreeChannels() throws IOException {
        BufferedImage image = new BufferedImage(SIZE, SIZE, BufferedImage.TYPE_INT_RGB);
        image.setRGB(1, 0, 0x102030);

        float[] pixels = RGB.read(file(image, "png"), PNG, false).pixels();

        assertThat(new float[] {pixels[1], pixels[1 + SIZE * SIZE], pixels[1 + 2 * SIZE * SIZE]})
                .containsExactly(0x10, 0x20, 0x30);
        assertThat(pixels).hasSize(3 * SIZE * SIZE);
    }

    @Test
    void shouldFillTransparentPixelsWithTheBackground() throws IOException {
        BufferedImage image = new BufferedImage(SIZE, SIZE, BufferedImage.TYPE_INT_ARGB);
        image.setRGB(0, 0, 0xFFFFFFFF);
        image.setRGB(1, 0, 0xFF000000);

        float[] upright = GREY.read(file(image, "png"), PNG, false).pixels();
        float[] inverted = GREY.read(file(image, "png"), PNG, true).pixels();

        assertThat(Arrays.copyOf(upright, 3)).containsExactly(255, 0, 0);
        assertThat(Arrays.copyOf(inverted, 3)).containsExactly(0, 255, 0);
    }

    @Test
    void shouldResize() throws IOException {
        BufferedImage image = new BufferedImage(2 * SIZE, 4 * SIZE, BufferedImage.TYPE_BYTE_GRAY);
        image.getRaster().setSample(0, 0, 0, 240);

        float[] pixels = GREY.read(file(image, "png"), PNG, false).pixels();

        assertThat(pixels).hasSize(SIZE * SIZE);
        assertThat(pixels[0]).isEqualTo(30);
    }

    @Test
    void shouldReadJpeg() throws IOException {
        BufferedImage image = new BufferedImage(SIZE, SIZE, BufferedImage.TYPE_INT_RGB);
        for (int i = 0; i < SIZE * SIZE; i++) {
            image.setRGB(i % SIZE, i / SIZE, 0xC0C0C0);
        }

        float[] pixels = GREY.read(file(image, "jpeg"), JPEG, false).pixels();

        for (float pixel : pixels) {
            assertThat(pixel).isCloseTo(192, within(3f));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {PNG, JPEG})
    void shouldRejectWhatIsNoImage(String format) {
        assertUnreadable(new byte[0], format);
        assertUnreadable("not an image".getBytes(StandardCharsets.UTF_8), format);
    }

    @Test
    void shouldRejectFileOfAnotherFormatThanStated() throws IOException {
        byte[] png = file(new BufferedImage(SIZE, SIZE, BufferedImage.TYPE_BYTE_GRAY), "png");

        assertThatThrownBy(() -> GREY.read(png, JPEG, false))
                .isInstanceOf(InvalidImagesException.class)
                .hasMessageStartingWith("the body of %d bytes cannot be decoded as image/jpeg: ".formatted(png.length));
    }

    @Test
    void shouldRejectMorePixelsThanAcceptedBeforeDecodingThem() throws IOException {
        assertThatThrownBy(() -> GREY.read(pngThatClaims(60_000, 50_000), PNG, false))
                .isInstanceOf(InvalidImagesException.class)
                .hasMessage(
                        "the image has 60000 x 50000 pixels, the limit is 1048576 in all and 8192 on a side: send a smaller one");
        assertUnreadable(pngThatClaims(Integer.MAX_VALUE, Integer.MAX_VALUE), PNG);
    }

    @Test
    void shouldRejectALineOfMorePixelsThanARowMayHave() throws IOException {
        BufferedImage line = new BufferedImage(8193, 1, BufferedImage.TYPE_BYTE_GRAY);

        assertUnreadable(file(line, "png"), PNG);
        assertUnreadable(pngThatClaims(1, 1 << 20), PNG);
    }

    /** The pixels of one part must not appear in the rows of another. */
    @ParameterizedTest
    @ValueSource(strings = {PNG, JPEG})
    void shouldReadTheSameInPartsAsAtOnce(String format) throws IOException {
        BufferedImage image = new BufferedImage(700, 901, BufferedImage.TYPE_INT_RGB);
        Random random = new Random(5);
        for (int i = 0; i < 700 * 901; i++) {
            image.setRGB(i % 700, i / 700, random.nextInt(1 << 24));
        }
        byte[] file = file(image, format.equals(PNG) ? "png" : "jpeg");
        Pixels whole = Pixels.of(ImageIO.read(new ByteArrayInputStream(file)), Pixels.BLACK);

        float[] pixels = RGB.read(file, format, false).pixels();

        for (int channel = 0; channel < 3; channel++) {
            assertThat(Arrays.copyOfRange(pixels, channel * SIZE * SIZE, (channel + 1) * SIZE * SIZE))
                    .containsExactly(AreaResize.resize(whole.channel(channel), 700, 901, SIZE, SIZE));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {PNG, JPEG})
    void shouldDecodeOrRejectBrokenFiles(String format) throws IOException {
        BufferedImage image = new BufferedImage(SIZE, SIZE, BufferedImage.TYPE_INT_RGB);
        byte[] whole = file(image, format.equals(PNG) ? "png" : "jpeg");
        Random random = new Random(7);
        for (int i = 0; i < 500; i++) {
            byte[] broken = Arrays.copyOf(whole, i % 2 == 0 ? whole.length : random.nextInt(whole.length));
            for (int hit = 0; hit < 4 && broken.length > 0; hit++) {
                broken[random.nextInt(broken.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(GREY.read(broken, format, false).pixels()).hasSize(SIZE * SIZE);
            } catch (InvalidImagesException expected) {
                assertThat(expected.rule()).isEqualTo(Rule.UNREADABLE);
            }
        }
    }

    private static void assertUnreadable(byte[] file, String format) {
        assertThatThrownBy(() -> GREY.read(file, format, false))
                .isInstanceOfSatisfying(
                        InvalidImagesException.class,
                        failure -> assertThat(failure.rule()).isEqualTo(Rule.UNREADABLE));
    }

    /** Writes the raw sample: setRGB would treat grey as linear light. */
    private static void setGrey(BufferedImage image, int x, int y, int value) {
        if (image.getType() == BufferedImage.TYPE_BYTE_GRAY) {
            image.getRaster().setSample(x, y, 0, value);
        } else {
            image.setRGB(x, y, 0xFF000000 | value * 0x010101);
        }
    }

    private static byte[] file(BufferedImage image, String format) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThat(ImageIO.write(image, format, out)).isTrue();
        return out.toByteArray();
    }

    private static byte[] pngThatClaims(int width, int height) throws IOException {
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        DataOutputStream chunk = new DataOutputStream(header);
        chunk.writeBytes("IHDR");
        chunk.writeInt(width);
        chunk.writeInt(height);
        chunk.write(new byte[] {8, 0, 0, 0, 0});
        CRC32 crc = new CRC32();
        crc.update(header.toByteArray());
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(file);
        out.write(new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'});
        out.writeInt(header.size() - 4);
        out.write(header.toByteArray());
        out.writeInt((int) crc.getValue());
        return file.toByteArray();
    }
}
