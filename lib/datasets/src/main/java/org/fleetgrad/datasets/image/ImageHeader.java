package org.fleetgrad.datasets.image;

/**
 * What an image file states about itself before its pixels are decoded. A file may lie; what is decoded is compared with it.
 *
 * @param width  columns
 * @param height rows
 * @param isGrey whether it has no colour
 */
public record ImageHeader(int width, int height, boolean isGrey) {

    /** Returns whether two images have the same width and height. */
    public boolean isSizeOf(ImageHeader other) {
        return width == other.width && height == other.height;
    }

    /** Returns width x height. */
    public String size() {
        return "%d x %d".formatted(width, height);
    }
}
