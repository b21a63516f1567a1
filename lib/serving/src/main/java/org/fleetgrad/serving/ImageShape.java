package org.fleetgrad.serving;

/**
 * The shape of one input image of the network.
 *
 * @param channels 1 for grey, 3 for RGB
 * @param height   rows
 * @param width    columns
 */
public record ImageShape(int channels, int height, int width) {

    public ImageShape {
        if (channels < 1 || height < 1 || width < 1) {
            throw new IllegalArgumentException("the dimensions of an image must be 1 or more; they are %d x %d x %d"
                    .formatted(channels, height, width));
        }
    }

    /** Returns the number of values of one channel. */
    public int planeValues() {
        return height * width;
    }

    /** Returns the number of values of one image. */
    public int values() {
        return channels * height * width;
    }

    @Override
    public String toString() {
        return "%d x %d x %d".formatted(channels, height, width);
    }
}
