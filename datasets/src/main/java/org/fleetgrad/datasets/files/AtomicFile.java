package org.fleetgrad.datasets.files;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Writes a file that appears whole or not at all: into a temporary file beside it, forced to the disk, then renamed over
 * the target. A reader sees the old content or the new; a crash leaves at most a {@code .tmp} file.
 */
public final class AtomicFile {

    private static final int BUFFER_BYTES = 1 << 16;

    /** Produces a file's content. */
    @FunctionalInterface
    public interface Content {

        /** Writes all of the content; the stream is buffered, and closed by the caller. */
        void writeTo(OutputStream out) throws IOException;
    }

    private AtomicFile() {}

    /** Writes {@code content} to {@code target}, whose folder must exist; an old file there is replaced. */
    public static void write(Path target, Content content) throws IOException {
        Path absolute = target.toAbsolutePath();
        Path temporary = absolute.resolveSibling("." + absolute.getFileName() + "." + UUID.randomUUID() + ".tmp");
        try {
            try (FileChannel channel = FileChannel.open(temporary, CREATE_NEW, WRITE);
                    OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES)) {
                content.writeTo(out);
                out.flush();
                channel.force(true);
            }
            Files.move(temporary, absolute, ATOMIC_MOVE, REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
        forceFolder(absolute);
    }

    /** Writes {@code bytes} to {@code target}; see {@link #write(Path, Content)}. */
    public static void write(Path target, byte[] bytes) throws IOException {
        write(target, out -> out.write(bytes));
    }

    /** A rename is durable once its folder is; platforms that cannot open a folder make it durable by themselves. */
    private static void forceFolder(Path file) {
        Path folder = file.getParent();
        if (folder == null) {
            return;
        }
        try (FileChannel channel = FileChannel.open(folder, READ)) {
            channel.force(true);
        } catch (IOException cannotOpenFolder) {
            return;
        }
    }
}
