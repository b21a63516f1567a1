package org.fleetgrad.testing;

import java.nio.file.Files;
import java.nio.file.Path;

/** Finds files in the {@code shared} folder, which may lie beside the checkout. */
public final class SharedData {

    private SharedData() {}

    /** Returns the file or folder at {@code relative}, or skips the test: see {@link Requirement#SHARED}. */
    public static Path require(String relative) {
        Path found = RepositoryRoot.path().resolveSibling("shared").resolve(relative);
        Requirement.SHARED.check(Files.exists(found), "../shared/" + relative);
        return found;
    }
}
