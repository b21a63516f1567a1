package org.fleetgrad.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** What a disk still takes. Stateless and thread-safe. */
public final class DiskSpace {

    /** Linux's and macOS's words for ENOSPC and EDQUOT; Java has no type for them. */
    private static final String FULL = "No space left on device";

    private static final String QUOTA = "Disk quota exceeded";

    private DiskSpace() {}

    /** Returns the bytes that this program may still write into {@code folder}, which may be missing; empty if that is not known. */
    public static OptionalLong free(Path folder) {
        Path there = folder.toAbsolutePath();
        while (!Files.exists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        try {
            return OptionalLong.of(Files.getFileStore(there).getUsableSpace());
        } catch (IOException unknown) {
            return OptionalLong.empty();
        }
    }

    /** Returns whether a disk or a quota is full, by what the system said. */
    public static boolean isFull(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            if (message.contains(FULL) || message.contains(QUOTA)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the end of a message about a file that could not be written: what it takes, and what is free; nothing if the disk was not
     * full.
     */
    public static String noteOf(Path file, long bytes, Throwable failure) {
        Path folder = file.toAbsolutePath().getParent();
        return isFull(failure) && folder != null ? "; it takes %,d bytes%s".formatted(bytes, note(folder)) : "";
    }

    /** Returns what is free in a folder, as the end of a message; nothing if that is not known. */
    public static String note(Path folder) {
        OptionalLong free = free(folder);
        return free.isPresent() ? "; %,d bytes are free in %s".formatted(free.getAsLong(), folder) : "";
    }
}
