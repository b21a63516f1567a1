package org.fleetgrad.ps.durability;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.checkpoints.Checkpoints;
import org.fleetgrad.checkpoints.ListedCheckpoint;
import org.fleetgrad.ps.persistence.TrainingState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes checkpoints, and deletes the files that each makes obsolete. Called by the applier or by the background
 * thread, never by both at once.
 */
final class CheckpointWriter {

    private static final Logger LOG = LoggerFactory.getLogger(CheckpointWriter.class);
    private static final long NOT_LISTED_YET = -1;

    private final Checkpoints checkpoints;
    private final int keep;
    private final Optional<Journal> journal;
    private final Arithmetic arithmetic;
    private final Clock clock;
    private final Supplier<Map<String, String>> notes;
    private final DurableTraining.Listener listener;
    private volatile long newest = NOT_LISTED_YET;
    // The first segment after the newest checkpoint: earlier segments are not needed once the next checkpoint exists.
    private volatile int newestSegment;

    CheckpointWriter(
            Checkpoints checkpoints,
            int keep,
            Optional<Journal> journal,
            Arithmetic arithmetic,
            Clock clock,
            Supplier<Map<String, String>> notes,
            DurableTraining.Listener listener) {
        this.checkpoints = checkpoints;
        this.keep = keep;
        this.journal = journal;
        this.arithmetic = arithmetic;
        this.clock = clock;
        this.notes = notes;
        this.listener = listener;
    }

    /** It is unknown whether the checkpoint exists. */
    static final class UnknownOutcomeException extends IOException {
        private static final long serialVersionUID = 1L;

        UnknownOutcomeException(Exception failure) {
            super("it is unknown whether a checkpoint was written: " + failure.getMessage(), failure);
        }
    }

    /** Sets the first journal segment after the recovered checkpoint. */
    void recoveredFrom(int segment) {
        newestSegment = segment;
    }

    /**
     * Writes a checkpoint.
     *
     * @param follows number of the journal segment that follows the state
     * @throws UnknownOutcomeException if the checkpoint may exist nevertheless; after any other exception it does not
     */
    void write(TrainingState state, Optional<Integer> follows, boolean isFinal) throws IOException {
        Instant begin = clock.instant();
        long before = newest == NOT_LISTED_YET ? newestListed() : newest;
        CheckpointManifest manifest;
        boolean isConfirmed = true;
        try {
            manifest = checkpoints.write(
                    state.version(),
                    begin,
                    notes(state),
                    StateFiles.write(state, new StateFiles.Position(follows, isFinal, arithmetic)));
        } catch (IOException | RuntimeException failed) {
            Optional<CheckpointManifest> written = written(before, failed);
            if (written.isEmpty()) {
                throw failed;
            }
            manifest = written.get();
            isConfirmed = false;
        }
        // The checkpoint exists and counts from here on; a failure below must not hide that.
        newest = manifest.number();
        if (isConfirmed) {
            deleteObsolete(manifest, follows);
        } else {
            // A power loss may still undo it: until the next checkpoint, the files that it replaces are needed.
            LOG.warn("{} is there, but the disk did not confirm it; older files stay", manifest.name());
        }
        try {
            listener.checkpointTaken(manifest, Duration.between(begin, clock.instant()));
        } catch (RuntimeException bug) {
            LOG.error("the listener of {} failed", manifest.name(), bug);
        }
    }

    private Map<String, String> notes(TrainingState state) {
        Map<String, String> all = new TreeMap<>(notes.get());
        all.put("samples", Long.toString(state.counts().samples()));
        state.counts().loss().ifPresent(loss -> all.put("loss", String.format(Locale.ROOT, "%.4f", loss)));
        return all;
    }

    /**
     * Returns the checkpoint if it was written in spite of the failure, for instance if only the confirmation was lost.
     */
    private Optional<CheckpointManifest> written(long before, Exception failure) throws UnknownOutcomeException {
        try {
            for (ListedCheckpoint listed : checkpoints.list()) {
                if (listed.number() > before && listed instanceof ListedCheckpoint.Complete whole) {
                    return Optional.of(whole.manifest());
                }
            }
            return Optional.empty();
        } catch (IOException unknown) {
            failure.addSuppressed(unknown);
            throw new UnknownOutcomeException(failure);
        }
    }

    private long newestListed() throws IOException {
        return checkpoints.list().stream()
                .mapToLong(ListedCheckpoint::number)
                .max()
                .orElse(0);
    }

    private void deleteObsolete(CheckpointManifest manifest, Optional<Integer> follows) {
        int needed = newestSegment;
        follows.ifPresent(number -> newestSegment = number);
        try {
            checkpoints.retain(keep);
            if (follows.isPresent() && journal.isPresent()) {
                journal.get().deleteBefore(needed);
            }
        } catch (IOException | RuntimeException left) {
            LOG.warn("files that {} makes unnecessary could not be deleted", manifest.name(), left);
        }
    }
}
