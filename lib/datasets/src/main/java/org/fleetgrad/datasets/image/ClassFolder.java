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

/** A folder that has a folder for each class, with its images. */
public final class ClassFolder {

    /** What file managers and archives leave behind. */
    private static final Set<String> LITTER = Set.of("thumbs.db", "desktop.ini", "__macosx");

    private ClassFolder() {}

    /** Returns the folders of classes in a folder: those with a name that is not hidden. */
    public static List<Path> folders(Path folder) throws IOException {
        return entries(folder).stream().filter(Files::isDirectory).toList();
    }

    /** Returns whether a folder has an image, whose contents are not read. */
    public static boolean hasImages(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.anyMatch(entry -> !isLitter(entry) && ImageFiles.isNamedAsImage(entry));
        }
    }

    /**
     * Returns the classes of a folder: the names of its folders, sorted.
     *
     * @throws InvalidDatasetException if it has anything else, or no folder
     */
    public static List<String> classes(Path split) throws IOException {
        for (Path entry : entries(split)) {
            if (!Files.isDirectory(entry)) {
                throw new InvalidDatasetException(
                        "%s is not a folder; %s must have one folder for each class".formatted(entry, split));
            }
        }
        return names(split);
    }

    /**
     * Returns the classes of a folder that is a whole dataset: files about it may lie there, such as a licence, but no images.
     *
     * @throws InvalidDatasetException if an image lies beside the folders
     */
    public static List<String> classesOfAll(Path folder) throws IOException {
        for (Path entry : entries(folder)) {
            if (!Files.isDirectory(entry) && ImageFiles.isNamedAsImage(entry)) {
                throw new InvalidDatasetException(
                        "%s lies beside the folders of the classes; move it into that of its class".formatted(entry));
            }
        }
        return names(folder);
    }

    private static List<String> names(Path folder) throws IOException {
        List<String> classes = folders(folder).stream()
                .map(entry -> entry.getFileName().toString())
                .toList();
        if (classes.isEmpty()) {
            throw new InvalidDatasetException("%s has no folder; it must have one for each class".formatted(folder));
        }
        return classes;
    }

    /**
     * Lists the files of all classes, by class and then by name. Whether they are images is not checked.
     *
     * @param classes the names of all classes
     * @throws InvalidDatasetException if a folder is of another class, or has nothing
     */
    public static ImageFiles list(Path split, List<String> classes) throws IOException {
        List<Path> files = new ArrayList<>();
        List<Integer> labels = new ArrayList<>();
        for (Path folder : folders(split)) {
            int label = classes.indexOf(folder.getFileName().toString());
            if (label < 0) {
                throw new InvalidDatasetException(
                        "%s is the folder of a class that has no training images; the %d classes are %s"
                                .formatted(folder, classes.size(), classes));
            }
            List<Path> images = entries(folder);
            if (images.isEmpty()) {
                throw new InvalidDatasetException("%s has no images; remove it, or add some".formatted(folder));
            }
            images.forEach(image -> labels.add(label));
            files.addAll(images);
        }
        return new ImageFiles(
                split, files, labels.stream().mapToInt(Integer::intValue).toArray());
    }

    private static List<Path> entries(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(entry -> !isLitter(entry)).sorted().toList();
        }
    }

    private static boolean isLitter(Path entry) {
        String name = entry.getFileName().toString();
        return name.startsWith(".") || LITTER.contains(name.toLowerCase(Locale.ROOT));
    }
}
