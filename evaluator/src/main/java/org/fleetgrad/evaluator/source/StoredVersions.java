package org.fleetgrad.evaluator.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fleetgrad.checkpoints.CheckpointLocation;

/** Finds the versions at a location that a user names. */
public final class StoredVersions {

    private static final String SUBFOLDER = "checkpoints";
    private static final String SAFETENSORS = ".safetensors";
    private static final Pattern CHECKPOINT = Pattern.compile("checkpoint-(\\d{6,12})");

    private StoredVersions() {}

    /**
     * Finds versions; reads none yet.
     *
     * @param place  a safetensors file, a folder of checkpoints or one of them, a folder of a run, a folder of safetensors
     *     files, or {@code s3://bucket/prefix}
     * @param every  minimum number of versions from one checkpoint to the next
     * @param teller receives a line about each skipped checkpoint
     * @throws NoSuchFileException      if there is none
     * @throws IllegalArgumentException if it is a run of several servers, or a bucket without its variables
     */
    public static Versions at(String place, long every, Consumer<String> teller) throws IOException {
        CheckpointLocation location = CheckpointLocation.parse(place, System::getenv);
        if (location.folder().isEmpty()) {
            return new StoredCheckpoints(location, OptionalLong.empty(), every, teller);
        }
        Path path = location.folder().get();
        if (Files.isRegularFile(path)) {
            return new StoredFiles(List.of(path));
        }
        if (!Files.isDirectory(path)) {
            throw new NoSuchFileException(place, null, "there is neither such a file nor such a folder");
        }
        Path whole = path.toAbsolutePath().normalize();
        Matcher one = CHECKPOINT.matcher(String.valueOf(whole.getFileName()));
        if (one.matches() && whole.getParent() != null) {
            return checkpoints(whole.getParent(), OptionalLong.of(Long.parseLong(one.group(1))), every, teller);
        }
        Path subfolder = path.resolve(SUBFOLDER);
        return inFolder(Files.isDirectory(subfolder) ? subfolder : path, every, teller);
    }

    private static Versions inFolder(Path folder, long every, Consumer<String> teller) throws IOException {
        if (has(folder, CHECKPOINT)) {
            return checkpoints(folder, OptionalLong.empty(), every, teller);
        }
        Path first = folder.resolve("0");
        if (Files.isDirectory(first) && has(first, CHECKPOINT)) {
            throw new IllegalArgumentException(
                    "%s is of a run of several servers; join its newest parts first: fleetgrad model export --checkpoints %s --out model.safetensors"
                            .formatted(folder, folder));
        }
        try (Stream<Path> entries = Files.list(folder)) {
            List<Path> files = entries.filter(entry -> entry.toString().endsWith(SAFETENSORS))
                    .sorted()
                    .toList();
            if (files.isEmpty()) {
                throw new NoSuchFileException(
                        folder.toString(), null, "there are no checkpoints and no safetensors files in it");
            }
            return new StoredFiles(files);
        }
    }

    private static Versions checkpoints(Path folder, OptionalLong number, long every, Consumer<String> teller) {
        return new StoredCheckpoints(CheckpointLocation.inFolder(folder), number, every, teller);
    }

    private static boolean has(Path folder, Pattern name) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.anyMatch(
                    entry -> name.matcher(entry.getFileName().toString()).matches());
        }
    }
}
