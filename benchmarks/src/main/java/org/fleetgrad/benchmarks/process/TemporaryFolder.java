package org.fleetgrad.benchmarks.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder that is deleted with its content on close. */
public final class TemporaryFolder implements AutoCloseable {

    private final Path path;
    private final Thread hook = new Thread(this::deleteOrLeave, "delete-temporary-folder");

    /** Creates the folder in the system's place for temporary files. */
    public TemporaryFolder() throws IOException {
        path = Files.createTempDirectory("fleetgrad-benchmarks");
        // Ctrl-C is a usual end of a long measurement, so the folder is deleted then too.
        Runtime.getRuntime().addShutdownHook(hook);
    }

    public Path path() {
        return path;
    }

    /** Deletes a subfolder, so that the next measurement has the disk for itself. */
    public static void delete(Path folder) throws IOException {
        List<Path> entries;
        try (Stream<Path> all = Files.walk(folder)) {
            entries = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path entry : entries) {
            Files.deleteIfExists(entry);
        }
    }

    /** Deletes as much as possible: programs that are being stopped may still write. */
    private void deleteOrLeave() {
        try {
            delete(path);
        } catch (IOException busy) {
            System.err.println("left behind: " + path);
        }
    }

    @Override
    public void close() throws IOException {
        delete(path);
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException shuttingDown) {
            // The JVM is shutting down: the hook itself is running.
        }
    }
}
