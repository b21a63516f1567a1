package org.fleetgrad.load.question;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import javax.imageio.ImageIO;
import org.fleetgrad.datasets.ImageSamples;

/**
 * One sample's bytes within a body: an array of numbers, or a PNG file. They are cached, up to {@value #MOST_KEPT_BYTES}
 * bytes, since writing 784 numbers costs more than sending them. Thread-safe.
 */
final class SampleBodies {

    private static final long MOST_KEPT_BYTES = 64_000_000;
    private static final int MOST_CHARACTERS_A_VALUE = 4;
    private static final int RED = 16;
    private static final int GREEN = 8;

    private final ImageSamples samples;
    private final BodyFormat format;
    private final AtomicReferenceArray<byte[]> kept;
    private final AtomicLong keptBytes = new AtomicLong();

    SampleBodies(ImageSamples samples, BodyFormat format) {
        this.samples = samples;
        this.format = format;
        this.kept = new AtomicReferenceArray<>(samples.count());
    }

    byte[] of(int index) {
        byte[] body = kept.get(index);
        if (body != null) {
            return body;
        }
        byte[] written = format == BodyFormat.JSON ? json(index) : png(index);
        if (keptBytes.addAndGet(written.length) <= MOST_KEPT_BYTES) {
            kept.set(index, written);
        }
        return written;
    }

    /** The values in the order [channels, height, width], in one flat array. */
    private byte[] json(int index) {
        int size = samples.imageBytes();
        StringBuilder text = new StringBuilder(size * MOST_CHARACTERS_A_VALUE).append('[');
        for (int i = 0; i < size; i++) {
            text.append(i == 0 ? "" : ",").append(value(index, i));
        }
        return text.append(']').toString().getBytes(StandardCharsets.US_ASCII);
    }

    private byte[] png(int index) {
        boolean isGrey = samples.channels() == 1;
        int plane = samples.height() * samples.width();
        BufferedImage image = new BufferedImage(
                samples.width(), samples.height(), isGrey ? BufferedImage.TYPE_BYTE_GRAY : BufferedImage.TYPE_INT_RGB);
        for (int i = 0; i < plane; i++) {
            int x = i % samples.width();
            int y = i / samples.width();
            if (isGrey) {
                // setRGB would convert the value from sRGB, and store another.
                image.getRaster().setSample(x, y, 0, value(index, i));
            } else {
                image.setRGB(
                        x, y, value(index, i) << RED | value(index, plane + i) << GREEN | value(index, 2 * plane + i));
            }
        }
        try (ByteArrayOutputStream bytes = new ByteArrayOutputStream()) {
            ImageIO.write(image, "png", bytes);
            return bytes.toByteArray();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private int value(int index, int at) {
        return Byte.toUnsignedInt(samples.images()[index * samples.imageBytes() + at]);
    }
}
