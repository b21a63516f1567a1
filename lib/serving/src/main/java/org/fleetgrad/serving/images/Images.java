package org.fleetgrad.serving.images;

import org.fleetgrad.serving.ImageShape;

/** Images of one shape: [count, channels, height, width], each value 0..255. This object owns the array. */
public final class Images {

    private static final float WHITE = 255;

    private final float[] pixels;
    private final int count;

    /** Takes ownership of {@code pixels}, which holds whole images of {@code shape}. */
    public Images(ImageShape shape, float[] pixels) {
        if (pixels.length == 0 || pixels.length % shape.values() != 0) {
            throw new IllegalArgumentException(
                    "%d values are not a whole number of images of %s".formatted(pixels.length, shape));
        }
        this.pixels = pixels;
        this.count = pixels.length / shape.values();
    }

    /** Returns the number of images. */
    public int count() {
        return count;
    }

    /** Replaces each value v by 255 - v. */
    public Images inverted() {
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = WHITE - pixels[i];
        }
        return this;
    }

    /** Passes ownership of the values to the caller; the images must not be used afterwards. */
    public float[] takePixels() {
        return pixels;
    }
}
