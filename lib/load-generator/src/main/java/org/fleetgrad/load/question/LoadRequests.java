package org.fleetgrad.load.question;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.sampling.SplitMix64;
import org.fleetgrad.load.result.LoadRow.AnsweringVersion;
import org.fleetgrad.protocol.safetensors.SafetensorsHeader;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * The requests of a load, by number. They go through all samples in one random order, then through them again, so that
 * a run of as many images as there are samples measures the accuracy on the whole set. Thread-safe.
 */
public final class LoadRequests {

    private static final byte[] ONE = ascii("{\"image\":");
    private static final byte[] SEVERAL = ascii("{\"images\":[");
    private static final byte[] END_OF_SEVERAL = ascii("]}");

    private final ImageSamples samples;
    private final int batch;
    private final BodyFormat format;
    private final int[] order;
    private final SampleBodies bodies;
    private final AnswerAgreement agreement;
    /** Header of a safetensors body: the same for all. */
    private final byte[] head;

    /**
     * Prepares requests of so many images each, from one or more held-out samples; the seed is that of their order.
     *
     * @throws IllegalArgumentException if there are no samples, or the format cannot hold them
     */
    public LoadRequests(ImageSamples samples, int batch, BodyFormat format, long seed) {
        if (samples.count() == 0) {
            throw new IllegalArgumentException("the dataset has no held-out samples; at least 1 is needed");
        }
        if (batch < 1) {
            throw new IllegalArgumentException("a request must have 1 image or more; it has " + batch);
        }
        format.require(samples, batch);
        this.samples = samples;
        this.batch = batch;
        this.format = format;
        this.order = new SplitMix64(seed).permutation(samples.count());
        this.bodies = new SampleBodies(samples, format);
        this.agreement = new AnswerAgreement(samples.count());
        TensorLayout input = TensorLayout.inOrder(List.of(new TensorSpec(
                "input", DType.U8, List.of((long) batch, (long) samples.channels(), (long) samples.height(), (long)
                        samples.width()))));
        this.head = SafetensorsHeader.encode(input, Map.of(), 0);
    }

    public String mediaType() {
        return format.mediaType();
    }

    public int batch() {
        return batch;
    }

    public byte[] body(long number) {
        return switch (format) {
            case JSON -> json(number);
            case PNG -> bodies.of(sample(number, 0));
            case SAFETENSORS -> safetensors(number);
        };
    }

    private byte[] safetensors(long number) {
        byte[] body = Arrays.copyOf(head, head.length + batch * samples.imageBytes());
        pixels(number, body, head.length);
        return body;
    }

    /** Returns the pixels of a request's images, a byte each. */
    public byte[] pixels(long number) {
        byte[] pixels = new byte[batch * samples.imageBytes()];
        pixels(number, pixels, 0);
        return pixels;
    }

    private void pixels(long number, byte[] to, int from) {
        for (int i = 0; i < batch; i++) {
            System.arraycopy(
                    samples.images(),
                    sample(number, i) * samples.imageBytes(),
                    to,
                    from + i * samples.imageBytes(),
                    samples.imageBytes());
        }
    }

    /** Returns the sizes of an image: channels, height and width. */
    public List<Integer> shape() {
        return List.of(samples.channels(), samples.height(), samples.width());
    }

    private byte[] json(long number) {
        ByteArrayOutputStream body = new ByteArrayOutputStream(4 * batch * samples.imageBytes());
        body.writeBytes(batch == 1 ? ONE : SEVERAL);
        for (int i = 0; i < batch; i++) {
            if (i > 0) {
                body.write(',');
            }
            body.writeBytes(bodies.of(sample(number, i)));
        }
        if (batch == 1) {
            body.write('}');
        } else {
            body.writeBytes(END_OF_SEVERAL);
        }
        return body.toByteArray();
    }

    /** Returns how many of the answered classes are the labels of the request's images. */
    public int right(long number, int[] classes) {
        int right = 0;
        for (int i = 0; i < batch; i++) {
            if (classes[i] == samples.label(sample(number, i))) {
                right++;
            }
        }
        return right;
    }

    /** Compares the answered classes with those that the version gave to the same images before. */
    AnswerAgreement.Compared compare(long number, AnsweringVersion version, int[] classes) {
        int[] asked = new int[batch];
        for (int i = 0; i < batch; i++) {
            asked[i] = sample(number, i);
        }
        return agreement.compare(version, asked, classes);
    }

    /** Returns the body of feedback on the answer to a request: the labels of its images. */
    public byte[] feedback(long number, String answer) {
        StringJoiner labels = new StringJoiner(",", "{\"answer\":\"" + answer + "\",\"labels\":[", "]}");
        for (int i = 0; i < batch; i++) {
            labels.add(Integer.toString(samples.label(sample(number, i))));
        }
        return ascii(labels.toString());
    }

    private int sample(long number, int image) {
        return order[(int) ((number * batch + image) % order.length)];
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
