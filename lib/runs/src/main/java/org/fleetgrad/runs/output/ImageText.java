package org.fleetgrad.runs.output;

import org.fleetgrad.datasets.ImageSamples;

/** Draws an image in characters. One row of text shows two rows of pixels, since a character is about twice as high as wide. */
public final class ImageText {

    private static final String SHADES = " .:-=+*#%@";
    private static final int WHITE = 255;

    private ImageText() {}

    /** Draws the first channel of one sample. */
    public static String of(ImageSamples samples, int index) {
        StringBuilder picture = new StringBuilder();
        for (int row = 0; row < samples.height(); row += 2) {
            StringBuilder line = new StringBuilder("  ");
            for (int column = 0; column < samples.width(); column++) {
                int upper = pixel(samples, index, row, column);
                int lower = row + 1 < samples.height() ? pixel(samples, index, row + 1, column) : upper;
                line.append(SHADES.charAt((upper + lower) * (SHADES.length() - 1) / (2 * WHITE)));
            }
            picture.append(line.toString().stripTrailing()).append(System.lineSeparator());
        }
        return picture.toString().stripTrailing();
    }

    private static int pixel(ImageSamples samples, int index, int row, int column) {
        return Byte.toUnsignedInt(samples.images()[index * samples.imageBytes() + row * samples.width() + column]);
    }
}
