package org.fleetgrad.testing;

import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the root of the checkout from any test's working directory. */
public final class RepositoryRoot {

    private RepositoryRoot() {}

    /** Returns the nearest folder above the working directory that holds the Maven wrapper. */
    public static Path path() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("mvnw"))) {
            Path parent = folder.getParent();
            if (parent == null) {
                throw new IllegalStateException("no mvnw above " + Path.of("").toAbsolutePath());
            }
            folder = parent;
        }
        return folder;
    }
}
