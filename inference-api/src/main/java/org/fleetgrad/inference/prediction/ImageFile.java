package org.fleetgrad.inference.prediction;

import java.awt.Rectangle;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.concurrent.Semaphore;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
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

    /** Pixels of an image that are decoded and held at a time; a part has at least one row. */
    private static final int PART_PIXELS = 1 << 16;

    /**
     * Each part is reached by decoding the rows before it, so this bounds the time: eight parts take four and a half times one.
     */
    private static final int MAX_PARTS = 8;

    /** Memory of a pixel until it is resized: the decoded pixel, and its numbers in each channel and in grey. */
    private static final int PIXEL_BYTES = 24;

    /** The network could not resolve a longer image, and a row of it cannot be decoded in parts. */
    static final int MAX_SIDE = 8192;

    private final ImageShape shape;
    private final long maxPixels;
    private final Semaphore decoders;

    /**
     * Makes a decoder.
     *
     * @param shape     shape of the images that it returns
     * @param maxPixels maximum pixels of a file: a PNG of a few bytes can claim billions
     * @param decoders  a permit for each file that may be decoded at a time, by any thread: two hundred threads would take two
     *     hundred times the memory of one
     */
    public ImageFile(ImageShape shape, long maxPixels, Semaphore decoders) {
        this.shape = shape;
        this.maxPixels = maxPixels;
        this.decoders = decoders;
    }

    /** Returns the maximum memory, in bytes, that a file of {@code maxPixels} takes while it is decoded. */
    public static long bytesOf(long maxPixels) {
        return PIXEL_BYTES * (Math.max(PART_PIXELS, maxPixels / MAX_PARTS) + MAX_SIDE);
    }

    /**
     * Decodes a file, resizes it and splits it into channels.
     *
     * @param mediaType  {@code image/png} or {@code image/jpeg}
     * @param isInverted whether to replace each value v by 255 - v
     * @throws InvalidImagesException if the file cannot be decoded as {@code mediaType}, or has too many pixels, or if the
     *     network's channels cannot come from a file
     */
    public Images read(byte[] file, String mediaType, boolean isInverted) {
        if (shape.channels() != GREY && shape.channels() != COLOUR) {
            throw new InvalidImagesException(
                    Rule.UNREADABLE,
                    "the network takes images of %s, and a file has %d or %d channels; write the values as application/json"
                            .formatted(shape, GREY, COLOUR));
        }
        decoders.acquireUninterruptibly();
        try {
            return resized(file, mediaType, isInverted);
        } finally {
            decoders.release();
        }
    }

    /** Decodes and resizes a few rows at a time. */
    private Images resized(byte[] file, String mediaType, boolean isInverted) {
        Rectangle size = size(file, mediaType);
        AreaResize[] planes = new AreaResize[shape.channels()];
        Arrays.setAll(planes, i -> new AreaResize(size.width, size.height, shape.width(), shape.height()));
        int rows = rows(size);
        for (int y = 0; y < size.height; y += rows) {
            Rectangle part = new Rectangle(0, y, size.width, Math.min(rows, size.height - y));
            // Transparent pixels get the background's colour. It must end up black, so it is white if the image is
            // inverted later.
            Pixels source = Pixels.of(decode(file, mediaType, part), isInverted ? Pixels.WHITE : Pixels.BLACK);
            for (int channel = 0; channel < planes.length; channel++) {
                planes[channel].add(shape.channels() == GREY ? source.grey() : source.channel(channel));
            }
        }
        float[] values = new float[shape.values()];
        for (int channel = 0; channel < planes.length; channel++) {
            System.arraycopy(planes[channel].resized(), 0, values, channel * shape.planeValues(), shape.planeValues());
        }
        Images images = new Images(shape, values);
        return isInverted ? images.inverted() : images;
    }

    private static int rows(Rectangle size) {
        return Math.max(1, Math.max(PART_PIXELS / size.width, (size.height + MAX_PARTS - 1) / MAX_PARTS));
    }

    /** Returns the size that the header states, without decoding pixels. */
    private Rectangle size(byte[] file, String mediaType) {
        return read(file, mediaType, reader -> {
            Rectangle size = new Rectangle(reader.getWidth(0), reader.getHeight(0));
            requireFewPixels(size.width, size.height);
            return size;
        });
    }

    /** Decodes some rows; the JDK's readers decode and discard the rows before them. */
    private static BufferedImage decode(byte[] file, String mediaType, Rectangle part) {
        return read(file, mediaType, reader -> {
            ImageReadParam region = reader.getDefaultReadParam();
            region.setSourceRegion(part);
            BufferedImage rows = reader.read(0, region);
            if (rows.getWidth() != part.width || rows.getHeight() != part.height) {
                throw new IOException("%d x %d pixels came for %d x %d"
                        .formatted(rows.getWidth(), rows.getHeight(), part.width, part.height));
            }
            return rows;
        });
    }

    /** An operation on a reader whose input is set. */
    private interface Use<T> {

        T of(ImageReader reader) throws IOException;
    }

    private static <T> T read(byte[] file, String mediaType, Use<T> use) {
        Iterator<ImageReader> readers = ImageIO.getImageReadersByMIMEType(mediaType);
        ImageReader reader = readers.next();
        try (ImageInputStream in = new MemoryCacheImageInputStream(new ByteArrayInputStream(file))) {
            // Ignores metadata: it is not needed, and its compressed texts could use much memory.
            reader.setInput(in, true, true);
            return use.of(reader);
        } catch (InvalidImagesException tooLarge) {
            throw tooLarge;
        } catch (IOException | RuntimeException broken) {
            // The JDK's readers throw unchecked exceptions too for broken files.
            throw new InvalidImagesException(
                    Rule.UNREADABLE,
                    "the body of %d bytes cannot be decoded as %s: %s"
                            .formatted(file.length, mediaType, broken.getMessage()),
                    broken);
        } finally {
            reader.dispose();
        }
    }

    private void requireFewPixels(int width, int height) {
        if ((long) width * height > maxPixels || Math.max(width, height) > MAX_SIDE) {
            throw new InvalidImagesException(
                    Rule.UNREADABLE,
                    "the image has %d x %d pixels, the limit is %d in all and %d on a side: send a smaller one"
                            .formatted(width, height, maxPixels, MAX_SIDE));
        }
    }
}
