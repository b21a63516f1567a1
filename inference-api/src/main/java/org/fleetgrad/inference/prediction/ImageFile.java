package org.fleetgrad.inference.prediction;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Iterator;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;
import org.fleetgrad.inference.model.ImageShape;
import org.fleetgrad.inference.prediction.InvalidImagesException.Rule;

/** Turns a PNG or JPEG file into what the network takes. Safe from several threads. */
public final class ImageFile {

    /** Most pixels of a file: a few bytes of PNG can claim billions. */
    static final long MAX_PIXELS = 1L << 22;

    private final ImageShape shape;

    /** Prepares for images of {@code shape}, with one channel or three. */
    public ImageFile(ImageShape shape) {
        this.shape = shape;
    }

    /**
     * Decodes a file, resizes it and splits it into channels.
     *
     * @param isInverted whether to replace each value v by 255 - v
     * @throws InvalidImagesException when it cannot be decoded as {@code format}, or has too many pixels
     */
    public Images read(byte[] file, ImageFormat format, boolean isInverted) {
        BufferedImage decoded = decode(file, format);
        // What is transparent is the drawing's ground, which ends up black either way.
        Pixels source = Pixels.of(decoded, isInverted ? Pixels.WHITE : Pixels.BLACK);
        int width = decoded.getWidth();
        int height = decoded.getHeight();
        float[] values = new float[shape.values()];
        for (int channel = 0; channel < shape.channels(); channel++) {
            float[] plane = shape.channels() == 1 ? source.grey() : source.channel(channel);
            float[] resized = AreaResize.resize(plane, width, height, shape.width(), shape.height());
            System.arraycopy(resized, 0, values, channel * shape.planeValues(), resized.length);
        }
        Images images = new Images(shape, values);
        return isInverted ? images.inverted() : images;
    }

    private static BufferedImage decode(byte[] file, ImageFormat format) {
        Iterator<ImageReader> readers = ImageIO.getImageReadersByMIMEType(format.mediaType());
        ImageReader reader = readers.next();
        try (ImageInputStream in = new MemoryCacheImageInputStream(new ByteArrayInputStream(file))) {
            // Without metadata: it is not used, and its compressed texts could be made to swell.
            reader.setInput(in, true, true);
            requireFewPixels(reader.getWidth(0), reader.getHeight(0));
            return reader.read(0);
        } catch (InvalidImagesException tooLarge) {
            throw tooLarge;
        } catch (IOException | RuntimeException broken) {
            // The JDK's readers meet broken files with unchecked exceptions too.
            throw new InvalidImagesException(
                    Rule.UNREADABLE,
                    "the body of %d bytes cannot be decoded as %s: %s"
                            .formatted(file.length, format.mediaType(), broken.getMessage()),
                    broken);
        } finally {
            reader.dispose();
        }
    }

    private static void requireFewPixels(int width, int height) {
        if ((long) width * height > MAX_PIXELS) {
            throw new InvalidImagesException(
                    Rule.UNREADABLE,
                    "the image has %d x %d pixels, accepted are %d in all".formatted(width, height, MAX_PIXELS));
        }
    }
}
