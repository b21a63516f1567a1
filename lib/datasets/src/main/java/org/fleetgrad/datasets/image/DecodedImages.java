package org.fleetgrad.datasets.image;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.Labels;
import org.fleetgrad.datasets.image.ImageReading.ImageHeader;

/**
 * The images of one split, decoded and brought to their shape.
 *
 * @param samples those that could be decoded
 * @param broken  why the others could not, by their place among all
 */
record DecodedImages(ImageSamples samples, SortedMap<Integer, String> broken) {

    private static final long MAX_ARRAY_BYTES = Integer.MAX_VALUE - 8;

    /** Pixels from which images are decoded one at a time: many large ones at once could need more memory than there is. */
    private static final long LARGE_PIXELS = 1L << 21;

    private static final Object LARGE = new Object();

    /**
     * Decodes files.
     *
     * @throws InvalidDatasetException if they need more memory than one array has
     */
    static DecodedImages of(ImageFiles files, List<ImageHeader> headers, FittedImage shape)
            throws InvalidDatasetException {
        long needed = (long) files.count() * shape.bytes();
        if (needed > MAX_ARRAY_BYTES) {
            throw new InvalidDatasetException(
                    "%s has %d images, which need %d bytes at %d x %d pixels; the limit is %d; use a smaller --image-size, or fewer images"
                            .formatted(
                                    files.place(),
                                    files.count(),
                                    needed,
                                    shape.width(),
                                    shape.height(),
                                    MAX_ARRAY_BYTES));
        }
        byte[] images = new byte[(int) needed];
        SortedMap<Integer, String> broken = new ConcurrentSkipListMap<>();
        IntStream.range(0, files.count()).parallel().forEach(i -> {
            try {
                decode(files, i, headers.get(i), shape, images);
            } catch (IOException unreadable) {
                broken.put(i, String.valueOf(unreadable.getMessage()));
            }
        });
        int[] good = IntStream.range(0, files.count())
                .filter(i -> !broken.containsKey(i))
                .toArray();
        return new DecodedImages(
                new ImageSamples(
                        shape.channels(),
                        shape.height(),
                        shape.width(),
                        compacted(images, good, shape.bytes()),
                        Labels.of(files.at(good).labels())),
                broken);
    }

    private static void decode(ImageFiles files, int i, ImageHeader header, FittedImage shape, byte[] images)
            throws IOException {
        if ((long) header.width() * header.height() >= LARGE_PIXELS) {
            synchronized (LARGE) {
                shape.write(ImageReading.decode(files.files().get(i), header), images, i * shape.bytes());
            }
        } else {
            BufferedImage image = ImageReading.decode(files.files().get(i), header);
            shape.write(image, images, i * shape.bytes());
        }
    }

    /** Moves the good images together, in place. */
    private static byte[] compacted(byte[] images, int[] good, int bytes) {
        if (good.length * bytes == images.length) {
            return images;
        }
        for (int i = 0; i < good.length; i++) {
            System.arraycopy(images, good[i] * bytes, images, i * bytes, bytes);
        }
        return Arrays.copyOf(images, good.length * bytes);
    }
}
