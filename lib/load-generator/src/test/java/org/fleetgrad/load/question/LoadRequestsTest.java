package org.fleetgrad.load.question;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import javax.imageio.ImageIO;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Test;

class LoadRequestsTest {

    private static final byte[] FIRST_THEN_SECOND = {1, 2, 3, 4, 5, (byte) 255, 7, 8, 9, 10, 11, 12};
    private static final byte[] SECOND_THEN_FIRST = {7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5, (byte) 255};

    /** Three images of 1 x 1 x 2. */
    private static final ImageSamples TINY =
            new ImageSamples(1, 1, 2, new byte[] {0, (byte) 255, 1, 2, 7, 9}, new byte[] {0, 1, 2});

    @Test
    void shouldAskAboutEachSampleOnceBeforeItBeginsAgain() {
        LoadRequests questions = new LoadRequests(TINY, 1, BodyFormat.JSON, 5);

        Set<String> first = bodies(questions, 0, 3);

        assertThat(first).containsExactlyInAnyOrder("{\"image\":[0,255]}", "{\"image\":[1,2]}", "{\"image\":[7,9]}");
        assertThat(bodies(questions, 3, 6)).isEqualTo(first);
        assertThat(questions.body(4)).isEqualTo(questions.body(1));
    }

    private static Set<String> bodies(LoadRequests questions, long from, long to) {
        Set<String> bodies = new HashSet<>();
        LongStream.range(from, to)
                .forEach(number -> bodies.add(new String(questions.body(number), StandardCharsets.UTF_8)));
        return bodies;
    }

    @Test
    void shouldSendSeveralImagesAndCountTheRightOnes() {
        LoadRequests questions = new LoadRequests(TINY, 2, BodyFormat.JSON, 5);
        List<Integer> labels = List.of(label(questions, 0, 0), label(questions, 0, 1));

        assertThat(new String(questions.body(0), StandardCharsets.UTF_8))
                .matches("\\{\"images\":\\[\\[\\d+,\\d+],\\[\\d+,\\d+]]}");
        assertThat(questions.right(0, new int[] {labels.get(0), labels.get(1)})).isEqualTo(2);
        assertThat(questions.right(0, new int[] {labels.get(0), 9})).isEqualTo(1);
        assertThat(questions.right(0, new int[] {labels.get(1), labels.get(0)})).isZero();
    }

    /** The correct class of one image of a request. */
    private static int label(LoadRequests questions, long number, int image) {
        for (int label = 0; label < 3; label++) {
            int[] classes = {9, 9};
            classes[image] = label;
            if (questions.right(number, classes) == 1) {
                return label;
            }
        }
        throw new AssertionError("no label fits");
    }

    @Test
    void shouldSendPngFilesWithTheVeryPixels() throws IOException {
        ImageSamples digits = SyntheticDigits.generate(3, 1);
        LoadRequests questions = new LoadRequests(digits, 1, BodyFormat.PNG, 1);

        for (int number = 0; number < 3; number++) {
            BufferedImage image = ImageIO.read(new ByteArrayInputStream(questions.body(number)));
            int sample = indexOf(digits, image);
            assertThat(questions.right(number, new int[] {digits.label(sample)}))
                    .isEqualTo(1);
        }
    }

    private static int indexOf(ImageSamples samples, BufferedImage image) {
        for (int index = 0; index < samples.count(); index++) {
            boolean isSame = true;
            for (int i = 0; i < samples.imageBytes(); i++) {
                int pixel = image.getRaster().getSample(i % samples.width(), i / samples.width(), 0);
                isSame &= pixel == Byte.toUnsignedInt(samples.images()[index * samples.imageBytes() + i]);
            }
            if (isSame) {
                return index;
            }
        }
        throw new AssertionError("no sample has these pixels");
    }

    @Test
    void shouldSendColoursInTheirChannels() throws IOException {
        ImageSamples pixel = new ImageSamples(3, 1, 1, new byte[] {10, 20, 30}, new byte[] {0});

        BufferedImage image =
                ImageIO.read(new ByteArrayInputStream(new LoadRequests(pixel, 1, BodyFormat.PNG, 1).body(0)));

        assertThat(image.getRGB(0, 0) & 0xff_ff_ff).isEqualTo(0x0a_14_1e);
        assertThat(new LoadRequests(pixel, 1, BodyFormat.JSON, 1).body(0))
                .asString()
                .isEqualTo("{\"image\":[10,20,30]}");
    }

    @Test
    void shouldSendSafetensorsWithTheVeryPixels() throws Exception {
        ImageSamples colours = new ImageSamples(3, 1, 2, FIRST_THEN_SECOND, new byte[] {0, 1});
        LoadRequests questions = new LoadRequests(colours, 2, BodyFormat.SAFETENSORS, 1);

        TensorSet body = Safetensors.decode(ByteBuffer.wrap(questions.body(0)));

        assertThat(questions.mediaType()).isEqualTo("application/vnd.safetensors");
        assertThat(body.layout().specs()).containsExactly(new TensorSpec("input", DType.U8, List.of(2L, 3L, 1L, 2L)));
        byte[] pixels = new byte[12];
        body.bytes("input").orElseThrow().get(pixels);
        // The seed decides which of the two samples comes first.
        boolean isFirst = questions.right(0, new int[] {0, 1}) == 2;
        assertThat(pixels).isEqualTo(isFirst ? FIRST_THEN_SECOND : SECOND_THEN_FIRST);
        assertThat(questions.right(0, isFirst ? new int[] {0, 1} : new int[] {1, 0}))
                .isEqualTo(2);
    }

    @Test
    void shouldRejectSeveralImagesInOneFile() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LoadRequests(TINY, 2, BodyFormat.PNG, 1))
                .withMessage("a PNG file is one image; --batch is 2: write --format json or safetensors");
    }
}
