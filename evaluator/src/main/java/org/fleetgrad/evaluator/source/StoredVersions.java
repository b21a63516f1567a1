package org.fleetgrad.evaluator.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fleetgrad.checkpoints.Checkpoint;
import org.fleetgrad.checkpoints.CheckpointLocation;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.checkpoints.Checkpoints;
import org.fleetgrad.checkpoints.CorruptCheckpointException;
import org.fleetgrad.checkpoints.ListedCheckpoint;
import org.fleetgrad.evaluator.source.Versions.NamedVersion;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;

/** Finds the versions at a location that a user names. */
public final class StoredVersions {

    private static final String SUBFOLDER = "checkpoints";
    private static final String SAFETENSORS = ".safetensors";
    private static final Pattern CHECKPOINT = Pattern.compile("checkpoint-(\\d{6,12})");

    private StoredVersions() {}

    /**
     * Finds versions; reads none yet.
     *
     * @param place  a safetensors file, a folder of checkpoints or one of them, a folder of a run, a folder of
     *     safetensors files, or {@code s3://bucket/prefix}
     * @param every  minimum number of versions from one checkpoint to the next
     * @param log receives a line about each skipped checkpoint
     * @throws NoSuchFileException      if there is none
     * @throws IllegalArgumentException if it is a run of several servers, or a bucket without its variables
     */
    public static Versions at(String place, long every, Consumer<String> log) throws IOException {
        CheckpointLocation location = CheckpointLocation.parse(place, System::getenv);
        if (location.folder().isEmpty()) {
            return new StoredCheckpoints(location, OptionalLong.empty(), every, log);
        }
        Path path = location.folder().get();
        if (Files.isRegularFile(path)) {
            return new StoredFiles(List.of(path));
        }
        if (!Files.isDirectory(path)) {
            throw new NoSuchFileException(place, null, "there is neither such a file nor such a folder");
        }
        Path complete = path.toAbsolutePath().normalize();
        Matcher one = CHECKPOINT.matcher(String.valueOf(complete.getFileName()));
        if (one.matches() && complete.getParent() != null) {
            return checkpoints(complete.getParent(), OptionalLong.of(Long.parseLong(one.group(1))), every, log);
        }
        Path subfolder = path.resolve(SUBFOLDER);
        return inFolder(Files.isDirectory(subfolder) ? subfolder : path, every, log);
    }

    private static Versions inFolder(Path folder, long every, Consumer<String> log) throws IOException {
        if (has(folder, CHECKPOINT)) {
            return checkpoints(folder, OptionalLong.empty(), every, log);
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

    private static Versions checkpoints(Path folder, OptionalLong number, long every, Consumer<String> log) {
        return new StoredCheckpoints(CheckpointLocation.inFolder(folder), number, every, log);
    }

    private static boolean has(Path folder, Pattern name) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.anyMatch(
                    entry -> name.matcher(entry.getFileName().toString()).matches());
        }
    }

    /**
     * The checkpoints of a location, oldest first. A damaged one, and one that the run deletes meanwhile, is skipped
     * and reported.
     *
     * @param number the only checkpoint to take; empty for all
     * @param every  versions from one to the next; the newest checkpoint is always taken
     */
    record StoredCheckpoints(CheckpointLocation location, OptionalLong number, long every, Consumer<String> log)
            implements Versions {

        @Override
        public void each(Visitor visitor) throws IOException, InterruptedException {
            try (Checkpoints checkpoints = Checkpoints.open(location)) {
                List<CheckpointManifest> complete = complete(checkpoints);
                Spacing spacing = new Spacing(every);
                for (int i = 0; i < complete.size(); i++) {
                    CheckpointManifest manifest = complete.get(i);
                    boolean isNewest = i == complete.size() - 1;
                    // At its end, a run writes its last version again.
                    if (spacing.isLast(manifest.parameterVersion())
                            || (!isNewest && !spacing.isDue(manifest.parameterVersion()))) {
                        continue;
                    }
                    spacing.note(manifest.parameterVersion());
                    if (!visit(checkpoints, manifest, visitor)) {
                        return;
                    }
                }
            }
        }

        private List<CheckpointManifest> complete(Checkpoints checkpoints) throws IOException {
            List<ListedCheckpoint> listed = new ArrayList<>(checkpoints.list());
            Collections.reverse(listed);
            List<CheckpointManifest> complete = new ArrayList<>();
            for (ListedCheckpoint checkpoint : listed) {
                if (number.isPresent() && number.getAsLong() != checkpoint.number()) {
                    continue;
                }
                if (checkpoint instanceof ListedCheckpoint.Complete present) {
                    complete.add(present.manifest());
                } else if (checkpoint instanceof ListedCheckpoint.Corrupt corrupt) {
                    log.accept("checkpoint %d is left out: its %s %s"
                            .formatted(corrupt.number(), corrupt.file(), corrupt.reason()));
                }
            }
            if (complete.isEmpty()) {
                throw new NoSuchFileException(location.toString(), null, "there is no undamaged checkpoint");
            }
            return complete;
        }

        private boolean visit(Checkpoints checkpoints, CheckpointManifest manifest, Visitor visitor)
                throws IOException, InterruptedException {
            Checkpoint checkpoint;
            try {
                checkpoint = checkpoints.read(manifest.number());
            } catch (CorruptCheckpointException | NoSuchFileException gone) {
                log.accept("%s is left out: %s".formatted(manifest.name(), gone.getMessage()));
                return true;
            }
            return visitor.visit(
                    new NamedVersion(manifest.name(), manifest.parameterVersion(), checkpoint.parameters()));
        }
    }

    /**
     * Files of parameter sets, as {@code fleetgrad model export} and a run write them.
     *
     * @param files in the order in which they are visited
     */
    record StoredFiles(List<Path> files) implements Versions {

        StoredFiles {
            files = List.copyOf(files);
        }

        @Override
        public void each(Visitor visitor) throws IOException, InterruptedException {
            for (Path file : files) {
                TensorSet parameters = ModelFile.read(file);
                String name = String.valueOf(file.getFileName());
                // A file from elsewhere states no version: it is version 0 of a history with the file's name.
                ParameterVersion version =
                        ParameterVersion.of(parameters.metadata()).orElseGet(() -> new ParameterVersion(name, 0));
                if (!visitor.visit(new NamedVersion(name, version, parameters))) {
                    return;
                }
            }
        }
    }
}
