package org.fleetgrad.datasets.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.datasets.ImageDataset;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.image.ClassFolder;
import org.fleetgrad.datasets.image.ImageClasses;
import org.fleetgrad.datasets.image.ImageFiles;

/** Images in a folder for each class, perhaps in a folder for each split. Without held-out images, a share of each class is held out. */
record ImageClassesReader() implements DatasetReader {

    private static final String TRAIN = "train";
    private static final List<String> HELD_OUT = List.of("test", "val", "valid", "validation");

    @Override
    public String layout() {
        return "images: a folder for each class with .png, .jpg or .jpeg files, of which a tenth is held out; or train/CLASS/, and test/"
                + " (or val/) likewise";
    }

    @Override
    public boolean recognizes(Set<String> files, Set<String> folders) {
        return folders.contains(TRAIN);
    }

    /** Returns how many folders in a folder have images; these may be classes. */
    static long countClasses(Path folder) throws IOException {
        long count = 0;
        for (Path each : ClassFolder.folders(folder)) {
            count += ClassFolder.hasImages(each) ? 1 : 0;
        }
        return count;
    }

    @Override
    public boolean resizes() {
        return true;
    }

    @Override
    public boolean holdsOut() {
        return true;
    }

    @Override
    public Dataset read(Path folder, String name, FolderOptions options) throws IOException {
        boolean hasSplits = hasSplits(folder);
        Path training = hasSplits ? folder.resolve(TRAIN) : folder;
        Optional<Path> test = hasSplits
                ? HELD_OUT.stream()
                        .map(folder::resolve)
                        .filter(Files::isDirectory)
                        .findFirst()
                : Optional.empty();
        if (test.isPresent() && options.holdOut().isPresent()) {
            throw new InvalidDatasetException(
                    "%s has held-out images of its own, so none of %s are held out: leave out --hold-out, or move %s away"
                            .formatted(test.get(), training, test.get()));
        }
        List<String> classes = hasSplits ? ClassFolder.classes(training) : ClassFolder.classesOfAll(training);
        if (!hasSplits && classes.size() < 2) {
            throw new InvalidDatasetException(
                    "%s has one folder, %s; a classifier needs 2 classes or more, each in a folder of its own"
                            .formatted(folder, classes));
        }
        ImageFiles files = ClassFolder.list(training, classes);
        Optional<ImageFiles> heldOut =
                test.isPresent() ? Optional.of(ClassFolder.list(test.get(), classes)) : Optional.empty();
        ImageClasses images = ImageClasses.read(classes, files, heldOut, options.images());
        return new ImageDataset(name, images.classes(), images.train(), images.test(), images.notes());
    }

    /** Returns whether {@code train} is a split. It may be a class, of pictures of trains, beside folders of other classes. */
    private static boolean hasSplits(Path folder) throws IOException {
        Path training = folder.resolve(TRAIN);
        if (!Files.isDirectory(training)) {
            return false;
        }
        boolean isAmongClasses = ClassFolder.folders(folder).stream()
                .map(each -> each.getFileName().toString())
                .anyMatch(each -> !each.equals(TRAIN) && !HELD_OUT.contains(each));
        return !isAmongClasses || !ClassFolder.folders(training).isEmpty();
    }
}
