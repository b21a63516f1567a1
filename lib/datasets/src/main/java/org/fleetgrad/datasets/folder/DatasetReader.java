package org.fleetgrad.datasets.folder;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.fleetgrad.datasets.ClassNames;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.datasets.ImageDataset;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.idx.IdxDataset;
import org.fleetgrad.datasets.svhn.SvhnFile;

/** Reads one kind of dataset. Stateless and thread-safe. */
sealed interface DatasetReader
        permits ArrayReader,
                DatasetReader.IdxReader,
                CifarReader,
                DatasetReader.SvhnReader,
                ImageClassesReader,
                ImageTableReader,
                CsvReader,
                TableReader,
                TextReader {

    /** Returns the kind and its files, for the user. */
    String layout();

    /**
     * Returns whether a folder has files of this kind; others of the kind may be missing.
     *
     * @param files   names of the files in the folder
     * @param folders names of the folders in the folder
     */
    boolean recognizes(Set<String> files, Set<String> folders);

    /** Returns the default name of a dataset of this kind, if it has one. */
    default Optional<String> ownName() {
        return Optional.empty();
    }

    /** Returns whether its samples are texts, which have tokens. */
    default boolean hasTexts() {
        return false;
    }

    /** Returns whether images are resized to a size that the user chooses. */
    default boolean resizes() {
        return false;
    }

    /** Returns whether a share of the samples is held out, which the user may choose, if there are no held-out samples. */
    default boolean holdsOut() {
        return false;
    }

    /**
     * Reads a folder that was recognized.
     *
     * @param name    the dataset's name
     * @param options the user's options
     * @throws org.fleetgrad.datasets.InvalidDatasetException if a file breaks the format
     */
    Dataset read(Path folder, String name, FolderOptions options) throws IOException;

    /** The four files of MNIST, Fashion-MNIST and their successors. The files do not identify which of these they are. */
    record IdxReader() implements DatasetReader {

        private static final Pattern FILE = Pattern.compile("(train|t10k)-(images|labels)[-.]idx[13]-ubyte(\\.gz)?");

        @Override
        public String layout() {
            return "IDX, such as MNIST and Fashion-MNIST: train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte,"
                    + " t10k-labels-idx1-ubyte, plain or .gz";
        }

        @Override
        public boolean recognizes(Set<String> files, Set<String> folders) {
            return files.stream().anyMatch(file -> FILE.matcher(file).matches());
        }

        @Override
        public Dataset read(Path folder, String name, FolderOptions options) throws IOException {
            IdxDataset files = IdxDataset.open(folder);
            int largest = Math.max(files.train().largestLabel(), files.test().largestLabel());
            return new ImageDataset(name, ClassNames.of(name, largest), files.train(), files.test());
        }
    }

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
            return new ImageDataset(
                    name,
                    ClassNames.numbers(DIGITS),
                    SvhnFile.read(folder.resolve(TRAIN)),
                    SvhnFile.read(folder.resolve(TEST)));
        }
    }
}
