package org.fleetgrad.files;

import static java.nio.file.StandardOpenOption.READ;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Makes what happens to a folder's entries outlive a loss of power. */
public final class DurableFolder {

    private DurableFolder() {}

    /** Makes a folder and those above it, as far as they are missing, and forces each to the disk. */
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
     * Forces the names in a folder to the disk: a file is there, or gone, for good only once its folder is. Platforms
     * that cannot open a folder make it durable by themselves.
     */
    public static void force(Path folder) {
        try (FileChannel channel = FileChannel.open(folder, READ)) {
            channel.force(true);
        } catch (IOException cannotOpenFolder) {
            return;
        }
    }
}
