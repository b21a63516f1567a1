package org.fleetgrad.runs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.fleetgrad.runs.kept.KeptRuns;
import org.fleetgrad.runs.output.RunFailedException;

/** The folder of a run: the user's, or one of the time in {@code runs}. */
public final class RunFolder {

    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSS");

    private RunFolder() {}

    /** Returns the folder that the user named; without a name, one that no run has yet. */
    public static Path of(Optional<Path> named) {
        return named.orElseGet(() -> KeptRuns.place(System.getenv())
                        .resolve(LocalDateTime.now(ZoneId.systemDefault()).format(STAMP)))
                .toAbsolutePath()
                .normalize();
    }

    /** Creates a folder if it is missing. */
    public static Path create(Path folder) throws RunFailedException {
        try {
            return Files.createDirectories(folder);
        } catch (IOException unwritable) {
            throw RunFailedException.input("the folder %s cannot be made: %s".formatted(folder, unwritable));
        }
    }
}
