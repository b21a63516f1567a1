package org.fleetgrad.datasets.idx;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.idx.IdxFile.IdxArray;

/**
 * A folder with the four files in which MNIST is published: images and labels, for training and for test.
 *
 * @param train the training samples
 * @param test  the test samples
 */
public record IdxDataset(ImageSamples train, ImageSamples test) {

    private static final String TRAIN = "train";
    private static final String TEST = "t10k";
    private static final int LARGEST_LABEL = 255;

    /**
     * Reads a folder; its files may have any of the usual names.
     *
     * @throws NoSuchFileException if one of the four is missing; the message lists the names looked for
     * @throws InvalidIdxException if a file breaks the format, or images and labels differ in number
     */
    public static IdxDataset open(Path folder) throws IOException {
        return new IdxDataset(read(folder, TRAIN), read(folder, TEST));
    }

    /** Writes the four files, gzipped, under the names of MNIST into {@code folder}, which is created if missing. */
    public static List<Path> write(Path folder, ImageSamples train, ImageSamples test) throws IOException {
        Files.createDirectories(folder);
        return Stream.concat(write(folder, TRAIN, train).stream(), write(folder, TEST, test).stream())
                .toList();
    }

    /** Returns the names of the files that {@link #write} writes. */
    public static List<String> fileNames() {
        return Stream.of(TRAIN, TEST)
                .flatMap(split -> Stream.of(imagesName(split), labelsName(split)))
                .toList();
    }

    private static List<Path> write(Path folder, String split, ImageSamples samples) throws IOException {
        if (samples.channels() != 1) {
            throw new IllegalArgumentException(
                    "this IDX dataset takes images of 1 channel; they have %d".formatted(samples.channels()));
        }
        if (samples.largestLabel() > LARGEST_LABEL) {
            throw new IllegalArgumentException("an IDX file of labels holds 0 to %d; there is a label %d"
                    .formatted(LARGEST_LABEL, samples.largestLabel()));
        }
        Path images = folder.resolve(imagesName(split));
        Path labels = folder.resolve(labelsName(split));
        IdxFile.write(
                new IdxArray(List.of(samples.count(), samples.height(), samples.width()), samples.images()), images);
        IdxFile.write(new IdxArray(List.of(samples.count()), samples.labels().bytes()), labels);
        return List.of(images, labels);
    }

    private static ImageSamples read(Path folder, String split) throws IOException {
        Path imagesFile = find(folder, split + "-images", 3);
        Path labelsFile = find(folder, split + "-labels", 1);
        IdxArray images = read(imagesFile, 3, "images");
        IdxArray labels = read(labelsFile, 1, "labels");
        int count = images.dimensions().get(0);
        if (count != labels.dimensions().get(0)) {
            throw new InvalidIdxException("%s has %d images, %s has %d labels"
                    .formatted(
                            imagesFile, count, labelsFile, labels.dimensions().get(0)));
        }
        int height = images.dimensions().get(1);
        int width = images.dimensions().get(2);
        if (count == 0 || height == 0 || width == 0) {
            throw new InvalidIdxException("%s has no pixels: dimensions %s".formatted(imagesFile, images.dimensions()));
        }
        return new ImageSamples(1, height, width, images.data(), labels.data());
    }

    private static IdxArray read(Path file, int dimensions, String what) throws IOException {
        IdxArray array = IdxFile.read(file);
        if (array.dimensions().size() != dimensions) {
            throw new InvalidIdxException("%s has %d dimensions, %s have %d"
                    .formatted(file, array.dimensions().size(), what, dimensions));
        }
        return array;
    }

    private static Path find(Path folder, String stem, int dimensions) throws NoSuchFileException {
        List<String> names = Stream.of("-", ".")
                .map(separator -> "%s%sidx%d-ubyte".formatted(stem, separator, dimensions))
                .flatMap(name -> Stream.of(name, name + ".gz"))
                .toList();
        Optional<Path> found =
                names.stream().map(folder::resolve).filter(Files::isRegularFile).findFirst();
        return found.orElseThrow(() -> new NoSuchFileException(
                folder.toString(), null, "none of these files exists: " + String.join(", ", names)));
    }

    private static String imagesName(String split) {
        return split + "-images-idx3-ubyte.gz";
    }

    private static String labelsName(String split) {
        return split + "-labels-idx1-ubyte.gz";
    }
}
