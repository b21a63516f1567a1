package org.fleetgrad.serving;

/**
 * Images of one shape: [count, channels, height, width], each value 0..255; or texts as rows of tokens. This object owns the
 * array; it does not change once the images wait for an answer.
 */
public final class Images {

    private static final float WHITE = 255;

    private final ImageShape shape;
    private final float[] pixels;
    private final int count;

    /**
     * Takes ownership of {@code pixels}.
     *
     * @throws IllegalArgumentException if they are not one or more complete images of {@code shape}
     */
    public Images(ImageShape shape, float[] pixels) {
        if (pixels.length == 0 || pixels.length % shape.values() != 0) {
            throw new IllegalArgumentException(
                    "%d values are not a whole number of images of %s".formatted(pixels.length, shape));
        }
        this.shape = shape;
        this.pixels = pixels;
        this.count = pixels.length / shape.values();
    }

    /** Returns the shape of each image. */
    public ImageShape shape() {
        return shape;
    }

    /** Returns the number of images. */
    public int count() {
        return count;
    }

    /** Returns the memory that the values take, in bytes. */
    public long bytes() {
        return (long) pixels.length * Float.BYTES;
    }

    /** Replaces each value v by 255 - v. */
    public Images inverted() {
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
