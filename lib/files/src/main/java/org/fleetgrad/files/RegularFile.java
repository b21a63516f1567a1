package org.fleetgrad.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files at paths that others name: opening a pipe would wait for ever, and a device may have no end. */
public final class RegularFile {

    private RegularFile() {}

    /**
     * Opens a file, or the file that a link leads to.
     *
     * @throws IOException if nothing is there, or it is no file: a folder, a pipe, a device
     */
    public static InputStream open(Path path) throws IOException {
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            throw new FileSystemException(path.toString(), null, "it is a folder, a pipe or a device, and not a file");
        }
        return Files.newInputStream(path);
    }
}
