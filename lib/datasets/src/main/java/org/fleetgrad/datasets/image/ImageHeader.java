package org.fleetgrad.datasets.image;

/**
 * The header of an image file, read before its pixels are decoded. A header may be wrong; the decoded image is checked
 * against it.
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
