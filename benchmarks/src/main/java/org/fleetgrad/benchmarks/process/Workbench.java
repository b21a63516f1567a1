package org.fleetgrad.benchmarks.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What a measurement works with.
 *
 * @param home     the checkout
 * @param programs starts the built programs; all of them end with the measurement
 * @param folder   for whatever a measurement writes
 * @param rounds   how often ours and what it is held against take turns
 */
public record Workbench(Path home, Programs programs, TemporaryFolder folder, int rounds) {

    /** Makes a folder of this name for a measurement's files. */
    public Path scratch(String name) throws IOException {
        return Files.createDirectories(folder.path().resolve(name));
    }

    /** Says what is going on, on stderr. */
    public void progress(String format, Object... values) {
        System.err.printf(Locale.ROOT, "  " + format + "%n", values);
    }
}
