package org.fleetgrad.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A disk that is soon full: a tmpfs, until it is closed. */
public final class SmallDisk implements AutoCloseable {

    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /**
     * Mounts a disk. The test is skipped if this user may not.
     *
     * @param folder is made if it is missing
     * @param size   of the disk, such as {@code 300k}
     */
    public static SmallDisk mount(Path folder, String size) throws IOException, InterruptedException {
        Path there = Files.createDirectories(folder);
        Requirement.TMPFS.check(
                run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", there.toString()) == 0,
                "it cannot be mounted on " + there);
        return new SmallDisk(there);
    }

    /** Returns the folder that is the disk. */
    public Path folder() {
        return folder;
    }

    /** Gives the disk another size. */
    public void resize(String size) throws InterruptedException {
        if (run("mount", "-o", "remount,size=" + size, folder.toString()) != 0) {
            throw new AssertionError("%s did not become a disk of %s".formatted(folder, size));
        }
    }

    @Override
    public void close() {
        // A program of the test may still have a file open there.
        try {
            int unused = run("umount", "--lazy", folder.toString());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs a command and returns its exit code; -1 if the command does not exist. */
    public static int run(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException noSuchCommand) {
            return -1;
        }
    }
}
