package org.fleetgrad.datasets;

import java.util.Arrays;
import java.util.List;

/**
 * Labelled images: unsigned bytes in the order [count, channels, height, width], one label from 0 to 65,535 each.
 *
 * <p>This object takes ownership of the arrays and returns them without a copy: neither the creator nor the callers of
 * {@link #images()} may write to them. Under that rule the object is immutable and thread-safe.
 */
public final class Samples {

    private final int channels;
    private final int height;
    private final int width;
    private final byte[] images;
    private final Labels labels;

    /** Takes ownership of both arrays; the labels are unsigned bytes. See {@link #Samples(int, int, int, byte[], Labels)}. */
    public Samples(int channels, int height, int width, byte[] images, byte[] labels) {
        this(channels, height, width, images, Labels.ofBytes(labels));
    }

    /**
     * Takes ownership of the images.
     *
     * @throws IllegalArgumentException if a dimension is not positive, or {@code images} does not contain one image for each
     *     label
     */
    public Samples(int channels, int height, int width, byte[] images, Labels labels) {
        if (channels <= 0 || height <= 0 || width <= 0) {
            throw new IllegalArgumentException(
                    "an image's dimensions must be positive: [%d, %d, %d]".formatted(channels, height, width));
        }
        long expected;
        try {
            expected = Math.multiplyExact(Math.multiplyExact((long) channels * height, width), (long) labels.count());
        } catch (ArithmeticException overflow) {
            throw new IllegalArgumentException(
                    "%d images of [%d, %d, %d] exceed what one array holds"
                            .formatted(labels.count(), channels, height, width),
                    overflow);
        }
        if (images.length != expected) {
            throw new IllegalArgumentException("%d labels need %d bytes of images of [%d, %d, %d]; there are %d"
                    .formatted(labels.count(), expected, channels, height, width, images.length));
        }
        this.channels = channels;
        this.height = height;
        this.width = width;
        this.images = images;
        this.labels = labels;
    }

    /** Returns the number of channels of an image. */
    public int channels() {
        return channels;
    }

    /** Returns the number of rows of an image. */
    public int height() {
        return height;
    }

    /** Returns the number of columns of an image. */
    public int width() {
        return width;
    }

    /** Returns an image's shape: [channels, height, width]. */
    public List<Integer> shape() {
        return List.of(channels, height, width);
    }

    /** Returns the number of bytes of one image. */
    public int imageBytes() {
        return channels * height * width;
    }

    /** Returns the number of samples. */
    public int count() {
        return labels.count();
    }

    /** Returns all pixels, [count, channels, height, width]; not a copy. */
    public byte[] images() {
        return images;
    }

    /** Returns all labels. */
    public Labels labels() {
        return labels;
    }

    /** Returns one label. */
    public int label(int index) {
        return labels.get(index);
    }

    /** Returns the largest label, or -1 if there is no sample. */
    public int largestLabel() {
        return labels.largest();
    }

    /** Copies the samples from index {@code from} (inclusive) to {@code to} (exclusive). */
    public Samples slice(int from, int to) {
        if (from < 0 || from > to || to > count()) {
            throw new IllegalArgumentException(
                    "a slice from %d to %d is not within %d samples".formatted(from, to, count()));
        }
        return new Samples(
                channels,
                height,
                width,
                Arrays.copyOfRange(images, from * imageBytes(), to * imageBytes()),
                labels.slice(from, to));
    }

    @Override
    public String toString() {
        return "Samples[%d of %s]".formatted(count(), shape());
    }
}
