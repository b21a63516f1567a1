package org.fleetgrad.datasets.folder;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.fleetgrad.datasets.Dataset;

/** Reads one kind of dataset. Stateless and thread-safe. */
sealed interface DatasetReader permits IdxReader, CifarReader, SvhnReader, ImageClassesReader {

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
    Optional<String> ownName();

    /** Returns whether images are resized to a size that the user chooses. */
    default boolean resizes() {
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
}
