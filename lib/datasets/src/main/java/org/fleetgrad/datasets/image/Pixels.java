package org.fleetgrad.datasets.image;

import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.Raster;

/** The pixels of a decoded image as numbers, 0 to 255, with transparent parts filled by a background colour. */
public final class Pixels {

    /** The value of a black pixel. */
    public static final float BLACK = 0;
    /** The value of a white pixel. */
    public static final float WHITE = 255;

    private static final int RGB = 3;
    private static final int BYTE = 8;
    private static final int BYTE_MASK = 0xFF;

    /** Red, green and blue; the same array three times if the image is grey. */
    private final float[][] planes;

    private Pixels(float[][] planes) {
        this.planes = planes;
    }

    /**
     * Reads an image's pixels.
     *
     * @param ground the value that transparent parts take in each channel
     */
    public static Pixels of(BufferedImage image, float ground) {
        ColorModel model = image.getColorModel();
        // Java treats grey samples as linear light and would brighten them when converting to sRGB, so read them
        // unconverted.
        if (model.getColorSpace().getType() == ColorSpace.TYPE_GRAY) {
            float[] grey = greySamples(image, ground);
            return new Pixels(new float[][] {grey, grey, grey});
        }
        return new Pixels(sRgb(image, ground));
    }

    private static float[] greySamples(BufferedImage image, float ground) {
        Raster raster = image.getRaster();
        ColorModel model = image.getColorModel();
        float scale = WHITE / ((1 << model.getComponentSize(0)) - 1);
        float alphaScale = model.hasAlpha() ? 1f / ((1 << model.getComponentSize(1)) - 1) : 0;
        int width = image.getWidth();
        float[] grey = new float[width * image.getHeight()];
        for (int i = 0; i < grey.length; i++) {
            int x = i % width;
            int y = i / width;
            float value = raster.getSample(x, y, 0) * scale;
            float alpha = model.hasAlpha() ? raster.getSample(x, y, 1) * alphaScale : 1;
            grey[i] = ground + alpha * (value - ground);
        }
        return grey;
    }

    private static float[][] sRgb(BufferedImage image, float ground) {
        int width = image.getWidth();
        int height = image.getHeight();
        int[] row = new int[width];
        float[][] planes = new float[RGB][width * height];
        for (int y = 0; y < height; y++) {
            image.getRGB(0, y, width, 1, row, 0, width);
            for (int x = 0; x < width; x++) {
                float alpha = (row[x] >>> (RGB * BYTE)) / WHITE;
                for (int channel = 0; channel < RGB; channel++) {
                    int value = (row[x] >>> ((RGB - 1 - channel) * BYTE)) & BYTE_MASK;
                    planes[channel][y * width + x] = ground + alpha * (value - ground);
                }
            }
        }
        return planes;
    }

    /** Returns red (0), green (1) or blue (2), row by row. */
    public float[] channel(int channel) {
        return planes[channel];
    }

    /** Returns the luma of ITU-R BT.601: 0.299 R + 0.587 G + 0.114 B. */
    public float[] grey() {
        if (planes[0] == planes[1]) {
            return planes[0];
        }
        float[] grey = new float[planes[0].length];
        for (int i = 0; i < grey.length; i++) {
            grey[i] = 0.299f * planes[0][i] + 0.587f * planes[1][i] + 0.114f * planes[2][i];
        }
        return grey;
    }
}
