package org.fleetgrad.datasets.folder;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.fleetgrad.datasets.ClassNames;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.datasets.svhn.SvhnFile;

/** SVHN's cropped digits. The file of additional images is not read. */
record SvhnReader() implements DatasetReader {

    private static final String TRAIN = "train_32x32.mat";
    private static final String TEST = "test_32x32.mat";
    private static final int DIGITS = 10;

    @Override
    public String layout() {
        return "SVHN's cropped digits: %s, %s".formatted(TRAIN, TEST);
    }

    @Override
    public boolean recognizes(Set<String> files, Set<String> folders) {
        return files.contains(TRAIN) || files.contains(TEST);
    }

    @Override
    public Optional<String> ownName() {
        return Optional.of("svhn");
    }

    @Override
    public Dataset read(Path folder, String name, FolderOptions options) throws IOException {
        return new Dataset(
                name,
                ClassNames.numbers(DIGITS),
                SvhnFile.read(folder.resolve(TRAIN)),
                SvhnFile.read(folder.resolve(TEST)));
    }
}
