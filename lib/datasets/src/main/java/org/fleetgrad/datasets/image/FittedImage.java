package org.fleetgrad.datasets.image;

import java.awt.image.BufferedImage;

/**
 * Fits images to one shape: the centre of the image in the shape's aspect ratio, resized by area. For a square this is a
 * resize of the shorter side, then a crop of the centre. An image of the right size keeps its pixels.
 *
 * @param channels 1 for grey (the luma of ITU-R BT.601), 3 for red, green and blue
 * @param height   rows
 * @param width    columns
 */
public record FittedImage(int channels, int height, int width) {

    /** Returns the number of bytes of one image. */
    public int bytes() {
        return channels * height * width;
    }

    /** Writes the pixels of an image, [channels, height, width], into {@code target} from {@code offset} on. */
    public void write(BufferedImage image, byte[] target, int offset) {
        BufferedImage middle = middle(image);
        Pixels pixels = Pixels.of(middle, Pixels.BLACK);
        int to = offset;
        for (int channel = 0; channel < channels; channel++) {
            float[] plane = channels == 1 ? pixels.grey() : pixels.channel(channel);
            float[] resized = AreaResize.resize(plane, middle.getWidth(), middle.getHeight(), width, height);
            for (float value : resized) {
                target[to++] = (byte) Math.round(value);
            }
        }
    }

    /** Returns the largest centred part with the shape's aspect ratio, as a view. */
    private BufferedImage middle(BufferedImage image) {
        long byWidth = (long) image.getWidth() * height;
        long byHeight = (long) image.getHeight() * width;
        int cropWidth = byWidth > byHeight ? Math.max(1, (int) (byHeight / height)) : image.getWidth();
        int cropHeight = byHeight > byWidth ? Math.max(1, (int) (byWidth / width)) : image.getHeight();
        return image.getSubimage(
                (image.getWidth() - cropWidth) / 2, (image.getHeight() - cropHeight) / 2, cropWidth, cropHeight);
    }
}
