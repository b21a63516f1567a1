package org.fleetgrad.files;

import static java.nio.file.StandardOpenOption.READ;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes changes of a folder's entries survive a power loss. */
public final class DurableFolder {

    private DurableFolder() {}

    /** Creates a folder and all missing parents, and fsyncs each. */
    public static void create(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        Path parent = folder.toAbsolutePath().getParent();
        if (parent != null) {
            create(parent);
        }
        try {
            Files.createDirectory(folder);
        } catch (FileAlreadyExistsException exists) {
            if (!Files.isDirectory(folder)) {
                throw exists;
            }
        }
        if (parent != null) {
            force(parent);
        }
    }

    /**
     * Fsyncs the names in a folder: without it, a power loss can undo the creation or deletion of a file. Platforms
     * that cannot open a folder do this by themselves.
     *
     * @throws IOException if the disk refuses
     */
    public static void force(Path folder) throws IOException {
        FileChannel opened;
        try {
            opened = FileChannel.open(folder, READ);
        } catch (IOException cannotOpenFolder) {
            return;
        }
        // From here on a failure is the disk's: writes may be lost.
        try (FileChannel channel = opened) {
            channel.force(true);
        }
    }
}
