package org.fleetgrad.serving;

import java.util.List;
import java.util.Optional;
import org.fleetgrad.datasets.RowSchema;
import org.fleetgrad.datasets.text.SampleEncoding;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.fleetgrad.serving.images.InvalidImagesException.Rule;
import org.fleetgrad.serving.tables.UnknownCategory;

/**
 * Images of one shape: [count, channels, height, width], each value 0..255; or texts as rows of tokens; rows of a table, or series.
 * This object owns the
 * array; it does not change once the images wait for an answer.
 */
public final class Images {

    private static final float WHITE = 255;

    private final ImageShape shape;
    private final float[] pixels;
    private final int count;
    private final Optional<?> encoding;
    private final List<UnknownCategory> unknown;

    /**
     * Takes ownership of {@code pixels}.
     *
     * @throws IllegalArgumentException if they are not one or more complete images of {@code shape}
     */
    public Images(ImageShape shape, float[] pixels) {
        this(shape, pixels, Optional.empty(), List.of());
    }

    private Images(ImageShape shape, float[] pixels, Optional<?> encoding, List<UnknownCategory> unknown) {
        if (pixels.length == 0 || pixels.length % shape.values() != 0) {
            throw new IllegalArgumentException(
                    "%d values are not a whole number of images of %s".formatted(pixels.length, shape));
        }
        this.shape = shape;
        this.pixels = pixels;
        this.count = pixels.length / shape.values();
        this.encoding = encoding;
        this.unknown = List.copyOf(unknown);
    }

    /**
     * Makes texts of their tokens, and takes ownership of them.
     *
     * @param encoding by which the texts became tokens: the same numbers mean other tokens elsewhere
     * @throws IllegalArgumentException if they are not one or more complete samples
     */
    public static Images ofTexts(SampleEncoding encoding, float[] tokens) {
        return new Images(new ImageShape(1, 1, encoding.context()), tokens, Optional.of(encoding), List.of());
    }

    /** Returns the shape of each image. */
    public ImageShape shape() {
        return shape;
    }

    /**
     * Makes rows of a table, or series, of their values, and takes ownership of them.
     *
     * @param schema  by which the rows became values
     * @param unknown categories of the rows that the schema does not have
     * @throws IllegalArgumentException if they are not one or more complete rows
     */
    public static Images ofRows(RowSchema schema, float[] values, List<UnknownCategory> unknown) {
        return new Images(new ImageShape(1, 1, schema.width()), values, Optional.of(schema), unknown);
    }

    /** Returns whether both have the same shape, and came of texts or rows in the same way: then a batch may have both. */
    public boolean isLike(Images other) {
        return shape.equals(other.shape) && encoding.equals(other.encoding);
    }

    /** Returns by what texts or rows became values; empty for images. */
    Optional<?> encoding() {
        return encoding;
    }

    /** Returns categories of rows that the table does not have. */
    List<UnknownCategory> unknown() {
        return unknown;
    }

    /** Returns the number of images. */
    public int count() {
        return count;
    }

    /** Returns the memory that the values take, in bytes. */
    public long bytes() {
        return (long) pixels.length * Float.BYTES;
    }

    /**
     * Replaces each value v by 255 - v.
     *
     * @throws InvalidImagesException if these are no images
     */
    public Images inverted() {
        if (encoding.isPresent()) {
            throw new InvalidImagesException(Rule.MALFORMED, "only images can be inverted");
        }
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = WHITE - pixels[i];
        }
        return this;
    }

    /** Returns the values, not a copy. */
    public float[] pixels() {
        return pixels;
    }
}
