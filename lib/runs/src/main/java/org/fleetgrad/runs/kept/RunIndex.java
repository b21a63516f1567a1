package org.fleetgrad.runs.kept;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.files.Sha256;
import org.fleetgrad.runs.output.RunFailedException;

/**
 * The folders of all runs that began here: those in the folder of runs, which need no entry, and those elsewhere, each with an entry in
 * {@code .index} (ADR 52). An entry is a small file that holds the folder's path and is named by its digest. It is written as a whole and
 * never changed, so that commands need not wait for each other, and a torn entry is known by its name. Thread-safe.
 */
final class RunIndex {

    static final String ENTRIES = ".index";

    private static final String LOCK = "lock";
    private static final int LONGEST_PATH = 16 << 10;
    private static final int DEPTH = 4;
    private static final Pattern ENTRY = Pattern.compile("[0-9a-f]{64}");

    /** A lock of a file is the process's, not the thread's. */
    private static final ReentrantLock THREADS = new ReentrantLock();

    private final Path runs;
    private final Path entries;
    private final SmallFiles files;

    /** @param runs the folder of runs; it may be missing */
    RunIndex(Path runs, SmallFiles files) {
        this.runs = runs.toAbsolutePath().normalize();
        this.entries = this.runs.resolve(ENTRIES);
        this.files = files;
    }

    /** Returns the folder of runs. */
    Path runs() {
        return runs;
    }

    /** Adds a folder. */
    void add(Path folder) throws IOException {
        if (!isInside(folder)) {
            byte[] path = folder.toString().getBytes(StandardCharsets.UTF_8);
            Path entry = Files.createDirectories(entries).resolve(Sha256.of(ByteBuffer.wrap(path)));
            if (!Files.exists(entry) || read(entry).isEmpty()) {
                AtomicFile.write(entry, path);
            }
        }
    }

    /** Removes a folder's entry, if it has one. */
    void forget(Path folder) throws IOException {
        byte[] path = folder.toString().getBytes(StandardCharsets.UTF_8);
        Files.deleteIfExists(entries.resolve(Sha256.of(ByteBuffer.wrap(path))));
    }

    private boolean isInside(Path folder) {
        return runs.equals(folder.getParent());
    }

    /** Returns the folders in which runs may lie, each once; some may be gone, or have none. */
    Set<Path> folders() throws IOException {
        Set<Path> folders = new LinkedHashSet<>();
        for (Path child : children(runs)) {
            if (!child.getFileName().toString().startsWith(".") && Files.isDirectory(child)) {
                folders.add(child);
            }
        }
        folders.addAll(elsewhere());
        return folders;
    }

    private List<Path> elsewhere() throws IOException {
        List<Path> folders = new ArrayList<>();
        for (Path entry : children(entries)) {
            if (ENTRY.matcher(entry.getFileName().toString()).matches()) {
                read(entry).ifPresent(folders::add);
            }
        }
        return folders;
    }

    /** Returns the folder of an entry; empty if the entry is torn or gone. */
    private Optional<Path> read(Path entry) {
        try {
            byte[] path = files.read(entry, LONGEST_PATH);
            return Sha256.of(ByteBuffer.wrap(path)).equals(entry.getFileName().toString())
                    ? Optional.of(Path.of(new String(path, StandardCharsets.UTF_8)))
                    : Optional.empty();
        } catch (IOException | InvalidPathException unreadable) {
            return Optional.empty();
        }
    }

    private static List<Path> children(Path folder) throws IOException {
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> listed = Files.newDirectoryStream(folder)) {
            listed.forEach(children::add);
        } catch (NoSuchFileException | NotDirectoryException none) {
            return List.of();
        } catch (DirectoryIteratorException failed) {
            throw failed.getCause();
        }
        return children;
    }

    /**
     * Makes all entries anew: of the folders that are runs among those known, beside them, and in the places.
     *
     * @param isRun  whether a folder is a run's
     * @param places where runs may lie, up to {@value #DEPTH} levels deep; links are not followed
     * @return how many runs lie outside of the folder of runs
     */
    int rebuild(List<Path> places, Predicate<Path> isRun) throws IOException {
        Set<Path> known = new LinkedHashSet<>(elsewhere());
        Set<Path> found = new LinkedHashSet<>();
        for (Path folder : List.copyOf(known)) {
            Path parent = folder.getParent();
            found.add(folder);
            if (parent != null) {
                found.addAll(walk(parent, 1));
            }
        }
        for (Path place : places) {
            found.addAll(walk(place.toAbsolutePath().normalize(), DEPTH));
        }
        int count = 0;
        for (Path folder : found) {
            if (isRun.test(folder) && !isInside(folder)) {
                add(folder);
                count++;
            } else {
                forget(folder);
            }
        }
        for (Path entry : children(entries)) {
            String name = entry.getFileName().toString();
            boolean isTorn = ENTRY.matcher(name).matches() && read(entry).isEmpty();
            if (isTorn) {
                Files.deleteIfExists(entry);
            }
        }
        return count;
    }

    private static List<Path> walk(Path place, int depth) throws IOException {
        if (!Files.isDirectory(place)) {
            return List.of();
        }
        try (Stream<Path> walked = Files.walk(place, depth)) {
            return walked.filter(Files::isDirectory).toList();
        } catch (UncheckedIOException unreadable) {
            throw unreadable.getCause();
        }
    }

    /** What is done while no other command does it. */
    @FunctionalInterface
    interface Alone {
        void run() throws IOException, RunFailedException;
    }

    /** Does something that must not happen in two commands at once, such as to take a name. A killed command leaves no lock. */
    void alone(Alone action) throws IOException, RunFailedException {
        THREADS.lock();
        try (FileChannel lock = FileChannel.open(
                Files.createDirectories(entries).resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            // It is released with its channel.
            Object unused = lock.lock();
            action.run();
        } finally {
            THREADS.unlock();
        }
    }
}
