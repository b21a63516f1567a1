package org.fleetgrad.datasets.image;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.ClassNames;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.Labels;
import org.fleetgrad.datasets.image.ImageReading.ImageHeader;

/**
 * Images of classes, one folder for each class, in a folder for each split.
 *
 * @param classes names of the training folders, sorted
 * @param train   the training samples
 * @param test    the held-out samples, of the same shape
 */
public record ImageClasses(List<String> classes, ImageSamples train, ImageSamples test) {

    /** Largest number of pixels of an image's edge. */
    public static final int MAX_SIZE = 1024;

    private static final long MAX_ARRAY_BYTES = Integer.MAX_VALUE - 8;

    /** Pixels from which images are decoded one at a time: many large ones at once could need more memory than there is. */
    private static final long LARGE_PIXELS = 1L << 21;

    private static final Object LARGE = new Object();

    public ImageClasses {
        classes = List.copyOf(classes);
    }

    /** The files of a split and their headers. */
    private record Listing(ClassFolder folder, List<ImageHeader> headers) {

        static Listing of(Path split, List<String> classes) throws IOException {
            ClassFolder folder = ClassFolder.list(split, classes);
            return new Listing(
                    folder,
                    inParallel(() -> folder.files().parallelStream()
                            .map(file -> unchecked(() -> ImageReading.header(file)))
                            .toList()));
        }
    }

    /** Work that reads files. */
    private interface Reading<T> {

        T run() throws IOException;
    }

    /**
     * Reads both splits. All images become grey if every file is grey, else red, green and blue.
     *
     * @param imageSize rows and columns of the images; if absent, all files must have the same size, which is kept
     * @throws InvalidDatasetException if a file is broken, has too many pixels, or does not belong there; the message has its
     *     path
     */
    public static ImageClasses read(Path trainFolder, Path testFolder, OptionalInt imageSize) throws IOException {
        if (imageSize.isPresent() && (imageSize.getAsInt() < 1 || imageSize.getAsInt() > MAX_SIZE)) {
            throw new InvalidDatasetException(
                    "the image size must be from 1 to %d pixels; it is %d".formatted(MAX_SIZE, imageSize.getAsInt()));
        }
        List<String> classes = ClassFolder.classes(trainFolder);
        ClassNames.require(classes);
        Listing train = Listing.of(trainFolder, classes);
        Listing test = Listing.of(testFolder, classes);
        int channels = isGrey(train) && isGrey(test) ? 1 : 3;
        FittedImage shape = imageSize.isPresent()
                ? new FittedImage(channels, imageSize.getAsInt(), imageSize.getAsInt())
                : commonShape(channels, train, test);
        return new ImageClasses(classes, samples(train, shape, trainFolder), samples(test, shape, testFolder));
    }

    private static boolean isGrey(Listing listing) {
        return listing.headers().stream().allMatch(ImageHeader::isGrey);
    }

    private static FittedImage commonShape(int channels, Listing train, Listing test) throws InvalidDatasetException {
        ImageHeader first = train.headers().get(0);
        for (Listing listing : List.of(train, test)) {
            for (int i = 0; i < listing.headers().size(); i++) {
                ImageHeader header = listing.headers().get(i);
                if (!header.isSizeOf(first)) {
                    throw new InvalidDatasetException(
                            "images differ in size: %s has %s pixels, %s has %s; state the size that all are brought to (--image-size N)"
                                    .formatted(
                                            train.folder().files().get(0),
                                            first.size(),
                                            listing.folder().files().get(i),
                                            header.size()));
                }
            }
        }
        if (Math.max(first.width(), first.height()) > MAX_SIZE) {
            throw new InvalidDatasetException(
                    "the images have %s pixels, the limit is %d on an edge; state a smaller size (--image-size N)"
                            .formatted(first.size(), MAX_SIZE));
        }
        return new FittedImage(channels, first.height(), first.width());
    }

    private static ImageSamples samples(Listing listing, FittedImage shape, Path split) throws IOException {
        List<Path> files = listing.folder().files();
        long needed = (long) files.size() * shape.bytes();
        if (needed > MAX_ARRAY_BYTES) {
            throw new InvalidDatasetException(
                    "%s has %d images, which need %d bytes at %d x %d pixels; the limit is %d; use a smaller --image-size, or fewer images"
                            .formatted(split, files.size(), needed, shape.width(), shape.height(), MAX_ARRAY_BYTES));
        }
        byte[] images = new byte[(int) needed];
        inParallel(() -> {
            IntStream.range(0, files.size())
                    .parallel()
                    .forEach(i -> unchecked(() -> {
                        decode(files.get(i), listing.headers().get(i), shape, images, i * shape.bytes());
                        return i;
                    }));
            return images;
        });
        return new ImageSamples(
                shape.channels(),
                shape.height(),
                shape.width(),
                images,
                Labels.of(listing.folder().labels()));
    }

    private static void decode(Path file, ImageHeader header, FittedImage shape, byte[] images, int offset)
            throws IOException {
        if ((long) header.width() * header.height() >= LARGE_PIXELS) {
            synchronized (LARGE) {
                shape.write(ImageReading.decode(file, header), images, offset);
            }
        } else {
            BufferedImage image = ImageReading.decode(file, header);
            shape.write(image, images, offset);
        }
    }

    private static <T> T unchecked(Reading<T> reading) {
        try {
            return reading.run();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static <T> T inParallel(Reading<T> reading) throws IOException {
        try {
            return reading.run();
        } catch (UncheckedIOException failed) {
            throw failed.getCause();
        }
    }
}
