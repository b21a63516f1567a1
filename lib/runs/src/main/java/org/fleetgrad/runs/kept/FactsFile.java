package org.fleetgrad.runs.kept;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.fleetgrad.files.AtomicFile;

/** {@code run.json} in a run's folder: its {@link RunFacts}. It is replaced as a whole, so a reader never sees a part of one. */
final class FactsFile {

    static final String NAME = "run.json";

    /** A longer file was not written by a run. */
    static final int MOST_BYTES = 256 << 10;

    private FactsFile() {}

    static void write(Path folder, RunFacts facts) throws IOException {
        AtomicFile.write(folder.resolve(NAME), FactsJson.write(facts));
    }

    /** Returns whether a folder has facts. A link is none: they are of this folder. */
    static boolean isIn(Path folder) {
        return Files.isRegularFile(folder.resolve(NAME), LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Reads the facts of a folder.
     *
     * @throws IOException if they are missing or cannot be read
     * @throws IllegalArgumentException if they are not whole
     */
    static RunFacts read(Path folder, SmallFiles files) throws IOException {
        return FactsJson.read(files.read(folder.resolve(NAME), MOST_BYTES));
    }
}
