package org.fleetgrad.runs.search;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.files.DiskSpace;
import org.fleetgrad.runs.output.RunFailedException;

/**
 * The folder of a search, which one command at a time may work in: {@code search.json} has the plan and the decisions. It is replaced as
 * a whole, and is on the disk before anything follows from it, so that a killed command leaves the old one or the new one (ADR 56).
 */
public final class SearchFolder implements AutoCloseable {

    /** The file with the plan. */
    public static final String FILE = "search.json";

    private static final String LOCK = ".search.lock";

    /** 10,000 trials with some options have a few megabytes. */
    private static final int MOST_BYTES = 64 << 20;

    private final Path folder;
    private final FileChannel lock;

    private SearchFolder(Path folder, FileChannel lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /**
     * Opens a folder, which is made if it is missing. A killed command leaves no lock.
     *
     * @throws RunFailedException if another command searches in it, or if it takes no file
     */
    public static SearchFolder open(Path folder) throws RunFailedException {
        try {
            Files.createDirectories(folder);
            FileChannel channel =
                    FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!isLocked(channel)) {
                channel.close();
                throw RunFailedException.input(
                        "another command searches in %s: wait for it, or end it with Ctrl-C in its terminal"
                                .formatted(folder));
            }
            return new SearchFolder(folder, channel);
        } catch (IOException unwritable) {
            throw unwritable(folder, unwritable);
        }
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException ofThisProcess) {
            return false;
        }
    }

    /** Returns whether a folder is that of a search. */
    public static boolean isSearch(Path folder) {
        return Files.exists(folder.resolve(FILE), LinkOption.NOFOLLOW_LINKS);
    }

    /** Returns the folder. */
    public Path path() {
        return folder;
    }

    /**
     * Reads the search; empty if none began here.
     *
     * @throws RunFailedException if it cannot be read, or is not whole
     */
    public Optional<SearchState> read() throws RunFailedException {
        Path file = folder.resolve(FILE);
        if (!isSearch(folder)) {
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new IllegalArgumentException("it has more than %,d bytes".formatted(MOST_BYTES));
            }
            return Optional.of(SearchJson.read(bytes));
        } catch (IOException | IllegalArgumentException damaged) {
            throw RunFailedException.input(
                    "%s is damaged: %s; no search writes it so. Its trials are runs, which fleetgrad runs lists: pass another --out to search anew"
                            .formatted(file, damaged.getMessage()));
        }
    }

    /** Writes the search; it is on the disk when this returns. */
    void write(SearchState state) throws RunFailedException {
        try {
            AtomicFile.write(folder.resolve(FILE), SearchJson.write(state));
        } catch (IOException unwritable) {
            throw unwritable(folder, unwritable);
        }
    }

    private static RunFailedException unwritable(Path folder, IOException failed) {
        return RunFailedException.input("the folder %s takes no file: %s%s"
                .formatted(folder, failed, DiskSpace.isFull(failed) ? DiskSpace.note(folder) : ""));
    }

    @Override
    public void close() throws RunFailedException {
        try {
            lock.close();
        } catch (IOException failed) {
            throw unwritable(folder, failed);
        }
    }
}
