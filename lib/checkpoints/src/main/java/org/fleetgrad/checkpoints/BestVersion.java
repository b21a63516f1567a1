package org.fleetgrad.checkpoints;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.HeldOutScore.ScoredVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.jspecify.annotations.Nullable;

/**
 * The best evaluated version of a run: its parameters, under the name {@code best} beside the run's checkpoints. They are exactly
 * those that were evaluated, without any state of the training, and of all servers if the run has several.
 *
 * <p>They are written like a checkpoint, completely or not at all, into a location of their own, and the version before is deleted
 * last. So there is a best version at every moment from the first one on, and {@link Checkpoints#retain} never deletes it. The
 * newest complete one is the best. Only one process may write at a time; any number of processes may read meanwhile. Thread-safe.
 */
public final class BestVersion implements Closeable {

    private static final String ACCURACY = "score-accuracy";
    private static final String LOSS = "score-loss";

    private final CheckpointLocation location;
    private @Nullable Checkpoints opened;

    private BestVersion(CheckpointLocation location) {
        this.location = location;
    }

    /** Opens the best version of the run whose checkpoints are at {@code checkpoints}. Creates nothing. */
    public static BestVersion of(CheckpointLocation checkpoints) {
        return new BestVersion(checkpoints.best());
    }

    /**
     * A best version.
     *
     * @param manifest of its files
     * @param scored   the version with its score; empty if another program wrote the manifest
     */
    public record Best(CheckpointManifest manifest, Optional<ScoredVersion> scored) {}

    /** Returns the best version; empty if none was kept. */
    public synchronized Optional<Best> newest() throws IOException {
        for (ListedCheckpoint listed : list()) {
            if (listed instanceof ListedCheckpoint.Complete complete) {
                CheckpointManifest manifest = complete.manifest();
                return Optional.of(new Best(
                        manifest,
                        score(manifest.notes()).map(score -> new ScoredVersion(manifest.parameterVersion(), score))));
            }
        }
        return Optional.empty();
    }

    /**
     * Reads the best version and verifies every byte.
     *
     * @throws NoSuchFileException        if none was kept
     * @throws CorruptCheckpointException if a file is missing or differs from the manifest
     */
    public Checkpoint read() throws IOException {
        while (true) {
            Optional<Best> best = newest();
            if (best.isEmpty()) {
                requireSound();
                throw new NoSuchFileException(
                        "%s has no best version: none was evaluated while a server kept its checkpoints there"
                                .formatted(location));
            }
            try {
                return checkpoints().read(best.get().manifest().number());
            } catch (NoSuchFileException replaced) {
                // A better one was written meanwhile; if it is gone, too, the next look says so.
                if (newest().equals(best)) {
                    throw replaced;
                }
            }
        }
    }

    /** Names the damage of a best version that cannot be read. */
    private void requireSound() throws IOException {
        for (ListedCheckpoint listed : list()) {
            if (listed instanceof ListedCheckpoint.Corrupt corrupt) {
                throw new CorruptCheckpointException(corrupt.number(), corrupt.file(), corrupt.reason());
            }
        }
    }

    /** Returns the path of its safetensors file; empty if none was kept, and in a bucket. */
    public Optional<Path> file() throws IOException {
        Optional<Best> best = newest();
        return location.folder()
                .flatMap(folder -> best.map(
                        kept -> folder.resolve(kept.manifest().name()).resolve(CheckpointManifest.PARAMETERS)));
    }

    /**
     * Replaces the best version. When this returns, the new one is on the disk; if it fails, the one before is still there.
     *
     * @param best       a version that is at least as good as the one before
     * @param notes      strings for people
     * @param parameters read until this call returns
     */
    public synchronized void replace(ScoredVersion best, Instant now, Map<String, String> notes, TensorSet parameters)
            throws IOException {
        Map<String, String> all = new TreeMap<>(notes);
        best.score().accuracy().ifPresent(share -> all.put(ACCURACY, share.toString()));
        best.score().loss().ifPresent(loss -> all.put(LOSS, loss.toString()));
        Checkpoints checkpoints = checkpoints();
        CheckpointManifest unused = checkpoints.write(
                best.version(), now, all, List.of(CheckpointFile.of(CheckpointManifest.PARAMETERS, parameters)));
        checkpoints.retain(1);
    }

    private synchronized List<ListedCheckpoint> list() throws IOException {
        // Opening would create the folder.
        boolean isThere =
                opened != null || location.folder().map(Files::isDirectory).orElse(true);
        return isThere ? checkpoints().list() : List.of();
    }

    private synchronized Checkpoints checkpoints() {
        Checkpoints before = opened;
        if (before != null) {
            return before;
        }
        Checkpoints now = Checkpoints.open(location);
        opened = now;
        return now;
    }

    private static Optional<HeldOutScore> score(Map<String, String> notes) {
        try {
            return HeldOutScore.of(number(notes, ACCURACY), number(notes, LOSS), false);
        } catch (NumberFormatException foreign) {
            return Optional.empty();
        }
    }

    private static @Nullable Double number(Map<String, String> notes, String name) {
        String text = notes.get(name);
        return text == null ? null : (Double) Double.parseDouble(text);
    }

    @Override
    public synchronized void close() throws IOException {
        if (opened != null) {
            opened.close();
        }
    }
}
