package org.fleetgrad.benchmarks.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The environment of a measurement.
 *
 * @param home     folder of the checkout
 * @param programs starts the built programs; all of them end with the measurement
 * @param folder   temporary files of the measurement
 * @param rounds   number of rounds in which the compared things take turns
 */
public record Workbench(Path home, Programs programs, TemporaryFolder folder, int rounds) {

    /** Makes a folder with this name for a measurement's files. */
    public Path scratch(String name) throws IOException {
        return Files.createDirectories(folder.path().resolve(name));
    }

    /** Prints progress on stderr. */
    public void progress(String format, Object... values) {
        System.err.printf(Locale.ROOT, "  " + format + "%n", values);
    }
}
