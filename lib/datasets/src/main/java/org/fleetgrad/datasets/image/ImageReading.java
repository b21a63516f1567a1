package org.fleetgrad.datasets.image;

import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.jspecify.annotations.Nullable;

/**
 * Reads PNG and JPEG files, whatever their names end in, with a limit on their pixels that is checked before they are
 * decoded.
 */
public final class ImageReading {

    /** Most pixels of a file: a PNG of a few bytes can claim billions. */
    public static final long MAX_PIXELS = 1L << 24;

    private static final int BUFFER_BYTES = 1 << 16;

    private ImageReading() {}

    /** Called with a reader whose input is set. */
    private interface Use<T> {

        T of(ImageReader reader) throws IOException;
    }

    /**
     * Reads the header of a file.
     *
     * @throws InvalidDatasetException if it is neither PNG nor JPEG, or broken, or has too many pixels
     */
    public static ImageHeader header(Path file) throws IOException {
        return read(file, reader -> header(file, reader));
    }

    /**
     * Decodes a file.
     *
     * @param header the header that was read before
     * @throws InvalidDatasetException if it is broken, or no longer matches its header
     */
    public static BufferedImage decode(Path file, ImageHeader header) throws IOException {
        return read(file, reader -> {
            ImageHeader now = header(file, reader);
            BufferedImage image = reader.read(0);
            if (!now.equals(header) || image.getWidth() != now.width() || image.getHeight() != now.height()) {
                throw new InvalidDatasetException("%s stated %s pixels and has %d x %d"
                        .formatted(file, header.size(), image.getWidth(), image.getHeight()));
            }
            return image;
        });
    }

    private static ImageHeader header(Path file, ImageReader reader) throws IOException {
        int width = reader.getWidth(0);
        int height = reader.getHeight(0);
        if ((long) width * height > MAX_PIXELS) {
            throw new InvalidDatasetException("%s states %d x %d pixels, the limit is %d in all; make it smaller"
                    .formatted(file, width, height, MAX_PIXELS));
        }
        return new ImageHeader(width, height, isGrey(reader.getRawImageType(0)));
    }

    /** The type is null for the usual JPEG, whose pixels are luma and chroma. */
    private static boolean isGrey(@Nullable ImageTypeSpecifier type) {
        return type != null
                && !(type.getColorModel() instanceof IndexColorModel)
                && type.getColorModel().getColorSpace().getType() == ColorSpace.TYPE_GRAY;
    }

    private static <T> T read(Path file, Use<T> use) throws IOException {
        try (InputStream bytes = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
                ImageInputStream in = new MemoryCacheImageInputStream(bytes)) {
            Iterator<ImageReader> readers = ImageIO.getImageReaders(in);
            while (readers.hasNext()) {
                ImageReader reader = readers.next();
                try {
                    String format = reader.getFormatName();
                    if (format.equalsIgnoreCase("png") || format.equalsIgnoreCase("jpeg")) {
                        // Ignores metadata: they are not needed, and their compressed texts could use much memory.
                        reader.setInput(in, true, true);
                        return use.of(reader);
                    }
                } finally {
                    reader.dispose();
                }
            }
            throw new InvalidDatasetException("%s is neither a PNG nor a JPEG file".formatted(file));
        } catch (InvalidDatasetException invalid) {
            throw invalid;
        } catch (IOException | RuntimeException broken) {
            // The JDK's readers throw unchecked exceptions too for broken files.
            throw new InvalidDatasetException("%s cannot be decoded: %s".formatted(file, broken.getMessage()), broken);
        }
    }

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
}
