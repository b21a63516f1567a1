package org.fleetgrad.ps.durability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/** Temporary folders in memory, if the machine has such a file system: these tests fsync files thousands of times. */
final class InMemory implements TempDirFactory {

    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
        return create();
    }

    /** Creates a folder; the caller deletes it. */
    static Path create() throws IOException {
        return Files.isWritable(SHARED_MEMORY)
                ? Files.createTempDirectory(SHARED_MEMORY, "fleetgrad")
                : Files.createTempDirectory("fleetgrad");
    }
}
