package org.fleetgrad.files;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Writes a file atomically: to a temporary file beside it, fsynced, then renamed over the target. A reader sees the old
 * content or the new; a crash leaves at most a {@code .tmp} file.
 */
public final class AtomicFile {

    private static final int BUFFER_BYTES = 1 << 16;
    private static final String TEMPORARY = ".tmp";

    /** As narrow as possible: files that match may be deleted. */
    private static final Pattern UNFINISHED =
            Pattern.compile("\\..+\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.tmp");

    private AtomicFile() {}

    /** Returns whether a file of this name is unfinished: it is being written, or its writer died. */
    public static boolean isUnfinished(String fileName) {
        return UNFINISHED.matcher(fileName).matches();
    }

    /** Writes {@code content} to {@code target}, whose folder must exist; an old file there is replaced. */
    public static void write(Path target, Content content) throws IOException {
        write(target, content, written -> {});
    }

    /** Looks at a file that is complete but has not its name yet. */
    @FunctionalInterface
    public interface Check {

        /** Returns if the file may get its name; whatever it throws, there is no file. */
        void accept(Path written) throws IOException;
    }

    /** Writes {@code content} to {@code target}, if {@code check} finds nothing wrong with it; see {@link #write(Path, Content)}. */
    public static void write(Path target, Content content, Check check) throws IOException {
        Path absolute = target.toAbsolutePath();
        Path temporary = absolute.resolveSibling("." + absolute.getFileName() + "." + UUID.randomUUID() + TEMPORARY);
        try {
            try (FileChannel channel = FileChannel.open(temporary, CREATE_NEW, WRITE);
                    OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES)) {
                content.writeTo(out);
                out.flush();
                channel.force(true);
            }
            check.accept(temporary);
            Files.move(temporary, absolute, ATOMIC_MOVE, REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
        DurableFolder.force(absolute.resolveSibling(".").normalize());
    }

    /** Writes {@code bytes} to {@code target}; see {@link #write(Path, Content)}. */
    public static void write(Path target, byte[] bytes) throws IOException {
        write(target, out -> out.write(bytes));
    }
}
