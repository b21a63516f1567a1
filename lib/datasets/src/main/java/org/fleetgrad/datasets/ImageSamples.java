package org.fleetgrad.datasets;

import java.util.Arrays;
import java.util.List;

/**
 * Labelled images: unsigned bytes in the order [count, channels, height, width], one label from 0 to 65,535 each.
 *
 * <p>This object takes ownership of the arrays and returns them without a copy: neither the creator nor the callers of
 * {@link #images()} may write to them. Under that rule the object is immutable and thread-safe.
 */
public final class ImageSamples implements Samples {

    private final int channels;
    private final int height;
    private final int width;
    private final byte[] images;
    private final Labels labels;

    /** Takes ownership of both arrays; the labels are unsigned bytes. See {@link #ImageSamples(int, int, int, byte[], Labels)}. */
    public ImageSamples(int channels, int height, int width, byte[] images, byte[] labels) {
        this(channels, height, width, images, Labels.ofBytes(labels));
    }

    /**
     * Takes ownership of the images.
     *
     * @throws IllegalArgumentException if a dimension is not positive, or {@code images} does not contain one image for each
     *     label
     */
    public ImageSamples(int channels, int height, int width, byte[] images, Labels labels) {
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

    @Override
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

    @Override
    public ImageSamples slice(int from, int to) {
        if (from < 0 || from > to || to > count()) {
            throw new IllegalArgumentException(
                    "a slice from %d to %d is not within %d samples".formatted(from, to, count()));
        }
        return new ImageSamples(
                channels,
                height,
                width,
                Arrays.copyOfRange(images, from * imageBytes(), to * imageBytes()),
                labels.slice(from, to));
    }

    @Override
    public void requireFit(Schema schema) {
        if (!(schema instanceof ImageSchema images)) {
            throw new IllegalArgumentException("the samples are images; the description is of " + schema.task());
        }
        if (!images.shape().equals(shape())) {
            throw new IllegalArgumentException(
                    "the description states the shape %s, the images have %s".formatted(images.shape(), shape()));
        }
        if (largestLabel() >= images.classes().size()) {
            throw new IllegalArgumentException("the largest label is %d, there are %d classes"
                    .formatted(largestLabel(), images.classes().size()));
        }
    }

    @Override
    public String toString() {
        return "ImageSamples[%d of %s]".formatted(count(), shape());
    }
}
