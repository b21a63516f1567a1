package org.fleetgrad.datasets.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.fleetgrad.datasets.InvalidDatasetException;

/**
 * The image files of one split: a folder for each class.
 *
 * @param files  the images, by class and then by name
 * @param labels label of each image
 */
record ClassFolder(List<Path> files, int[] labels) {

    private static final Set<String> SUFFIXES = Set.of("png", "jpg", "jpeg");

    /** What file managers leave behind. */
    private static final Set<String> LITTER = Set.of("thumbs.db", "desktop.ini");

    /** Returns the classes of a split: the names of its folders, sorted. */
    static List<String> classes(Path split) throws IOException {
        List<String> classes = new ArrayList<>();
        for (Path entry : entries(split)) {
            if (!Files.isDirectory(entry)) {
                throw new InvalidDatasetException(
                        "%s is not a folder; %s must have one folder for each class".formatted(entry, split));
            }
            classes.add(entry.getFileName().toString());
        }
        if (classes.isEmpty()) {
            throw new InvalidDatasetException("%s has no folder; it must have one for each class".formatted(split));
        }
        return classes;
    }

    /** Lists the images of a split, whose folders must all be among {@code classes}. */
    static ClassFolder list(Path split, List<String> classes) throws IOException {
        List<Path> files = new ArrayList<>();
        List<Integer> labels = new ArrayList<>();
        for (String name : classes(split)) {
            int label = classes.indexOf(name);
            if (label < 0) {
                throw new InvalidDatasetException(
                        "%s is the folder of a class that has no training images; the %d classes are %s"
                                .formatted(split.resolve(name), classes.size(), classes));
            }
            List<Path> images = images(split.resolve(name));
            images.forEach(image -> labels.add(label));
            files.addAll(images);
        }
        return new ClassFolder(
                files, labels.stream().mapToInt(Integer::intValue).toArray());
    }

    private static List<Path> images(Path folder) throws IOException {
        List<Path> images = entries(folder);
        for (Path image : images) {
            String name = image.getFileName().toString();
            String suffix = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
            if (!SUFFIXES.contains(suffix) || !Files.isRegularFile(image)) {
                throw new InvalidDatasetException(
                        "%s is not a file that ends in .png, .jpg or .jpeg; a class's folder must have such files only"
                                .formatted(image));
            }
        }
        if (images.isEmpty()) {
            throw new InvalidDatasetException("%s has no images; remove it, or add some".formatted(folder));
        }
        return images;
    }

    private static List<Path> entries(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(entry -> !isLitter(entry.getFileName().toString()))
                    .sorted()
                    .toList();
        }
    }

    private static boolean isLitter(String name) {
        return name.startsWith(".") || LITTER.contains(name.toLowerCase(Locale.ROOT));
    }
}
