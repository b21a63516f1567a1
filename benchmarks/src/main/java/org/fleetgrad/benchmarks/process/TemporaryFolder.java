package org.fleetgrad.benchmarks.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder that is gone, with all that is in it, when it is closed. */
public final class TemporaryFolder implements AutoCloseable {

    private final Path path;
    private final Thread hook = new Thread(this::deleteOrLeave, "delete-temporary-folder");
    private int drawn;

    /** Makes the folder, where the system has room for temporary files. */
    public TemporaryFolder() throws IOException {
        path = Files.createTempDirectory("fleetgrad-benchmarks");
        // Ctrl-C is a usual end of a long measurement.
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Returns the folder. */
    public Path path() {
        return path;
    }

    /** Returns the path of a folder in it that is not there yet. */
    public Path fresh() {
        return path.resolve("fresh-" + drawn++);
    }

    /** Deletes a folder of it, so that the next measurement has the disk to itself. */
    public static void delete(Path folder) throws IOException {
        List<Path> entries;
        try (Stream<Path> all = Files.walk(folder)) {
            entries = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path entry : entries) {
            Files.deleteIfExists(entry);
        }
    }

    /** Programs may still be writing to it while they are ended. */
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
            // The hook is what runs now.
        }
    }
}
