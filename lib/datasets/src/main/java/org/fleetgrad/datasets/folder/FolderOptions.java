package org.fleetgrad.datasets.folder;

import java.util.Optional;
import java.util.OptionalInt;
import org.fleetgrad.datasets.DatasetName;

/**
 * The user's options for a folder.
 *
 * @param name      the dataset's name; if it is absent, the folder's files decide
 * @param imageSize rows and columns to which the images of an image folder are resized; if it is absent, all must have the
 *     same size
 */
public record FolderOptions(Optional<String> name, OptionalInt imageSize) {

    /** No options. */
    public static final FolderOptions NONE = new FolderOptions(Optional.empty(), OptionalInt.empty());

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the name may not be a dataset's, or the size is not positive
     */
    public FolderOptions {
        name.ifPresent(DatasetName::require);
        if (imageSize.isPresent() && imageSize.getAsInt() < 1) {
            throw new IllegalArgumentException("an image size must be 1 or more pixels; it is " + imageSize.getAsInt());
        }
    }
}
