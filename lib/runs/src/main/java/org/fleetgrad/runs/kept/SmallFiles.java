package org.fleetgrad.runs.kept;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads small files. Thread-safe. */
@FunctionalInterface
interface SmallFiles {

    /** The files of the disk. */
    SmallFiles ON_DISK = SmallFiles::first;

    /**
     * Reads a regular file up to a number of bytes; of a longer one the first {@code most}.
     *
     * @throws IOException if it is missing, a link, or cannot be read
     */
    byte[] read(Path file, int most) throws IOException;

    private static byte[] first(Path file, int most) throws IOException {
        // A pipe would wait for a writer, and a device may have no end.
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new NoSuchFileException(file.toString());
        }
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(most);
        }
    }
}
