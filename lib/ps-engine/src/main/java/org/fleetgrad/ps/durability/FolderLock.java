package org.fleetgrad.ps.durability;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import org.fleetgrad.files.DurableFolder;

/** Locks a folder against a second server. The operating system releases the lock when the process ends, however it ends. */
final class FolderLock implements Closeable {

    private final FileChannel channel;

    private FolderLock(FileChannel channel) {
        this.channel = channel;
    }

    static FolderLock take(Path folder) throws IOException {
        DurableFolder.create(folder);
        FileChannel channel = FileChannel.open(folder.resolve(".lock"), CREATE, WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return new FolderLock(channel);
            }
        } catch (OverlappingFileLockException held) {
            // Held by another server in this process: refused below like any other holder.
        } catch (IOException failed) {
            channel.close();
            throw failed;
        }
        channel.close();
        throw new IOException("%s is used by another parameter server; give each run its own folder".formatted(folder));
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
