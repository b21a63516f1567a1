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

    /** Makes a folder, and all missing folders above it, and forces each to the disk. */
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
     * Forces the names in a folder to the disk: without it, a power loss can undo that a file was made or deleted.
     * Platforms that cannot open a folder do this by themselves.
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
        // Past this point a failure is the disk's: what it was told may be lost.
        try (FileChannel channel = opened) {
            channel.force(true);
        }
    }
}
