package org.fleetgrad.runs.settings;

import java.nio.file.Path;
import java.util.Optional;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;

/**
 * The dataset of a run.
 *
 * @param folder  its folder; if it is absent, digits are generated
 * @param options the user's options for the folder
 */
public record DataSettings(Optional<Path> folder, FolderOptions options) {

    /** Digits that are generated. */
    public static final DataSettings GENERATED = new DataSettings(Optional.empty(), FolderOptions.NONE);

    /** Returns the settings of a folder without further options. */
    public static DataSettings of(Path folder) {
        return new DataSettings(Optional.of(folder), FolderOptions.NONE);
    }

    /** Returns whether the digits are generated. */
    public boolean isGenerated() {
        return folder.isEmpty();
    }
}
