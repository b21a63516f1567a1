package org.fleetgrad.runs.resume;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fleetgrad.runs.output.RunFailedException;

/** Finds what a run resumes from, before any program is started. */
public final class ResumePath {

    /** Name of the folder of checkpoints in a run's folder. */
    public static final String CHECKPOINTS = "checkpoints";

    private static final Pattern CHECKPOINT = Pattern.compile("checkpoint-(\\d{6,12})");

    private ResumePath() {}

    /**
     * Translates {@code given} into ps-service's {@code ps.resume-from}. A run's folder becomes the folder of its
     * checkpoints, a checkpoint's folder becomes {@code folder#number}, and {@code folder#3} means the checkpoint of that
     * number. A bucket is unchanged: the server has its keys.
     *
     * @throws RunFailedException if there is nothing to resume from
     */
    public static String resolve(String given) throws RunFailedException {
        if (given.startsWith("s3://")) {
            return given;
        }
        int hash = given.lastIndexOf('#');
        try {
            Path path = Path.of(given).toAbsolutePath().normalize();
            return hash > 0 && !Files.exists(path)
                    ? resolve(given, Path.of(given.substring(0, hash)).toAbsolutePath(), given.substring(hash))
                    : resolve(given, path, "");
        } catch (InvalidPathException invalid) {
            throw RunFailedException.input("--resume %s: not a path: %s".formatted(given, invalid.getMessage()));
        }
    }

    private static String resolve(String given, Path path, String number) throws RunFailedException {
        requireFolder(given, path);
        Matcher one = CHECKPOINT.matcher(path.getFileName().toString());
        if (one.matches() && path.getParent() != null) {
            return path.getParent() + "#" + Long.parseLong(one.group(1));
        }
        Path ofRun = path.resolve(CHECKPOINTS);
        Path location = Files.isDirectory(ofRun) ? ofRun : path;
        int partitions = hasCheckpoints(location) ? 0 : ResumeParts.count(location);
        if (partitions > 0) {
            throw RunFailedException.input(
                    "--resume %s: it is a run of %d servers; pass --servers %d, or export the model, and begin with it: fleetgrad model export --checkpoints %s --out model.safetensors"
                            .formatted(given, partitions, partitions, given));
        }
        if (!hasCheckpoints(location)) {
            throw RunFailedException.input(
                    "--resume %s: there are no checkpoints in %s; pass a run's folder or a folder of checkpoints"
                            .formatted(given, location));
        }
        return location + number;
    }

    /** Checks that there is such a folder. */
    static void requireFolder(String given, Path path) throws RunFailedException {
        if (Files.isRegularFile(path)) {
            throw RunFailedException.input(
                    "--resume %s: it is a file, not a run's folder; --from %s begins with the values of a model"
                            .formatted(given, given));
        }
        if (!Files.isDirectory(path)) {
            throw RunFailedException.input(
                    given.equals("best")
                            ? "--resume best: the best version has no state of the training to go on from; --from RUN --best begins with its values"
                            : "--resume %s: there is no such folder".formatted(given));
        }
    }

    /** Returns whether a folder exists and contains a checkpoint. */
    public static boolean hasCheckpoints(Path folder) throws RunFailedException {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.anyMatch(
                    entry -> CHECKPOINT.matcher(entry.getFileName().toString()).matches());
        } catch (IOException unreadable) {
            throw RunFailedException.input("the folder %s cannot be read: %s".formatted(folder, unreadable));
        }
    }
}
