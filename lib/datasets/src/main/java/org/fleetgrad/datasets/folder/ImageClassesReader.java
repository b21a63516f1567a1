package org.fleetgrad.datasets.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.datasets.image.ImageClasses;

/** A folder for each split, in it a folder for each class, in it images. */
record ImageClassesReader() implements DatasetReader {

    private static final String TRAIN = "train";
    private static final String TEST = "test";
    private static final String VALIDATION = "val";

    @Override
    public String layout() {
        return "images: train/CLASS/*.png|jpg|jpeg, and test/ (or val/) likewise";
    }

    @Override
    public boolean recognizes(Set<String> files, Set<String> folders) {
        return folders.contains(TRAIN);
    }

    @Override
    public Optional<String> ownName() {
        return Optional.empty();
    }

    @Override
    public boolean resizes() {
        return true;
    }

    @Override
    public Dataset read(Path folder, String name, FolderOptions options) throws IOException {
        Path test = folder.resolve(Files.isDirectory(folder.resolve(TEST)) ? TEST : VALIDATION);
        if (!Files.isDirectory(test)) {
            throw new NoSuchFileException(
                    folder.toString(), null, "it has train/ but neither test/ nor val/ for the held-out images");
        }
        ImageClasses images = ImageClasses.read(folder.resolve(TRAIN), test, options.imageSize());
        return new Dataset(name, images.classes(), images.train(), images.test());
    }
}
