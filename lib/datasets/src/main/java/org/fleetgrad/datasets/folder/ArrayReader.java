package org.fleetgrad.datasets.folder;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.datasets.array.SeriesReading;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;

/** Series in arrays: a .npz or .safetensors file, or a folder with a .npz file or with .npy files. */
record ArrayReader() implements DatasetReader {

    @Override
    public String layout() {
        return "arrays: a .npz or .safetensors file with x [samples, channels, length] and y, perhaps x_test and y_test, or a folder"
                + " with a .npz file, or with x.npy and y.npy; without x_test a tenth is held out";
    }

    @Override
    public boolean recognizes(Set<String> files, Set<String> folders) {
        return SeriesReading.areArrays(files);
    }

    @Override
    public boolean holdsOut() {
        return true;
    }

    @Override
    public Dataset read(Path source, String name, FolderOptions options) throws IOException {
        return SeriesReading.read(source, name, options.table(), options.holdOut());
    }
}
