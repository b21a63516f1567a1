package org.fleetgrad.inference.prediction;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Iterator;
import java.util.concurrent.Semaphore;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;
import org.fleetgrad.datasets.image.AreaResize;
import org.fleetgrad.datasets.image.Pixels;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.fleetgrad.serving.images.InvalidImagesException.Rule;

/** Decodes PNG and JPEG files to the network's input. Thread-safe. */
public final class ImageFile {

    private static final int GREY = 1;
    private static final int COLOUR = 3;

    private final ImageShape shape;
    private final long maxPixels;
    private final Semaphore decoders;

    /**
     * Makes a decoder.
     *
     * @param shape     shape of the images that it makes
     * @param maxPixels most pixels of a file, which takes up to 20 bytes for each: a PNG of a few bytes can claim billions
     * @param decoders  a permit for each file that may be decoded at a time, whoever decodes it: two hundred threads would
     *     take two hundred times the memory of one
     */
    public ImageFile(ImageShape shape, long maxPixels, Semaphore decoders) {
        this.shape = shape;
        this.maxPixels = maxPixels;
        this.decoders = decoders;
    }

    /**
     * Decodes a file, resizes it and splits it into channels.
     *
     * @param isInverted whether to replace each value v by 255 - v
     * @throws InvalidImagesException if the file cannot be decoded as {@code format}, or has too many pixels, or if the
     *     network takes images that no file can have
     */
    public Images read(byte[] file, ImageFormat format, boolean isInverted) {
        if (shape.channels() != GREY && shape.channels() != COLOUR) {
            throw new InvalidImagesException(
                    Rule.UNREADABLE,
                    "the network takes images of %s, and a file has %d or %d channels; write the values as application/json"
                            .formatted(shape, GREY, COLOUR));
        }
        decoders.acquireUninterruptibly();
        try {
            return resized(decode(file, format), isInverted);
        } finally {
            decoders.release();
        }
    }

    private Images resized(BufferedImage decoded, boolean isInverted) {
        // Transparent pixels take the colour of the background, which is black in the end: white if inverted later.
        Pixels source = Pixels.of(decoded, isInverted ? Pixels.WHITE : Pixels.BLACK);
        int width = decoded.getWidth();
        int height = decoded.getHeight();
        float[] values = new float[shape.values()];
        for (int channel = 0; channel < shape.channels(); channel++) {
            float[] plane = shape.channels() == GREY ? source.grey() : source.channel(channel);
            float[] resized = AreaResize.resize(plane, width, height, shape.width(), shape.height());
            System.arraycopy(resized, 0, values, channel * shape.planeValues(), resized.length);
        }
        Images images = new Images(shape, values);
        return isInverted ? images.inverted() : images;
    }

    private BufferedImage decode(byte[] file, ImageFormat format) {
        Iterator<ImageReader> readers = ImageIO.getImageReadersByMIMEType(format.mediaType());
        ImageReader reader = readers.next();
        try (ImageInputStream in = new MemoryCacheImageInputStream(new ByteArrayInputStream(file))) {
            // Ignores metadata: it is not needed, and its compressed texts could use much memory.
            reader.setInput(in, true, true);
            // The header alone says how large it is: no pixel is decoded before.
            requireFewPixels(reader.getWidth(0), reader.getHeight(0));
            return reader.read(0);
        } catch (InvalidImagesException tooLarge) {
            throw tooLarge;
        } catch (IOException | RuntimeException broken) {
            // The JDK's readers throw unchecked exceptions too for broken files.
            throw new InvalidImagesException(
                    Rule.UNREADABLE,
                    "the body of %d bytes cannot be decoded as %s: %s"
                            .formatted(file.length, format.mediaType(), broken.getMessage()),
                    broken);
        } finally {
            reader.dispose();
        }
    }

    private void requireFewPixels(int width, int height) {
        if ((long) width * height > maxPixels) {
            throw new InvalidImagesException(
                    Rule.UNREADABLE,
                    "the image has %d x %d pixels, the limit is %d in all: send a smaller one"
                            .formatted(width, height, maxPixels));
        }
    }
}
