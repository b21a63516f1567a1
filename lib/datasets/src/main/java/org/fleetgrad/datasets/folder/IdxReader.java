package org.fleetgrad.datasets.folder;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.fleetgrad.datasets.ClassNames;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.datasets.idx.IdxDataset;

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
    public Optional<String> ownName() {
        return Optional.empty();
    }

    @Override
    public Dataset read(Path folder, String name, FolderOptions options) throws IOException {
        IdxDataset files = IdxDataset.open(folder);
        int largest = Math.max(files.train().largestLabel(), files.test().largestLabel());
        return new Dataset(name, ClassNames.of(name, largest), files.train(), files.test());
    }
}
