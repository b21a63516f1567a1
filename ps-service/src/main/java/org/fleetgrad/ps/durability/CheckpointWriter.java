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
 * Writes checkpoints, and deletes what each makes unnecessary. Used by the applier or by the background's thread, never by
 * both at once.
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
    private final DurabilityListener listener;
    private volatile long newest = NOT_LISTED_YET;
    // Where the newest checkpoint begins in the journal: what is before it is not needed after the next one.
    private volatile int newestSegment;

    CheckpointWriter(
            Checkpoints checkpoints,
            int keep,
            Optional<Journal> journal,
            Arithmetic arithmetic,
            Clock clock,
            Supplier<Map<String, String>> notes,
            DurabilityListener listener) {
        this.checkpoints = checkpoints;
        this.keep = keep;
        this.journal = journal;
        this.arithmetic = arithmetic;
        this.clock = clock;
        this.notes = notes;
        this.listener = listener;
    }

    /** Nobody can say whether the checkpoint is there. */
    static final class UnknownOutcomeException extends IOException {
        private static final long serialVersionUID = 1L;

        UnknownOutcomeException(Exception failure) {
            super("nobody knows whether a checkpoint was written: " + failure.getMessage(), failure);
        }
    }

    /** Says where the checkpoint begins in the journal that was gone back to. */
    void wentBackTo(int segment) {
        newestSegment = segment;
    }

    /**
     * Writes a checkpoint.
     *
     * @param follows the journal's segment that follows the state
     * @throws UnknownOutcomeException where it may be there all the same; after any other exception it is not
     */
    void write(TrainingState state, Optional<Integer> follows, boolean isFinal) throws IOException {
        Instant begin = clock.instant();
        long before = newest == NOT_LISTED_YET ? newestListed() : newest;
        CheckpointManifest manifest;
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
        }
        // It is there, and counts from now on: whatever fails below must not make it seem otherwise.
        newest = manifest.number();
        tidy(manifest, follows);
        try {
            listener.checkpointTaken(manifest, Duration.between(begin, clock.instant()));
        } catch (RuntimeException bug) {
            LOG.error("{} could not be told of", manifest.name(), bug);
        }
    }

    private Map<String, String> notes(TrainingState state) {
        Map<String, String> all = new TreeMap<>(notes.get());
        all.put("samples", Long.toString(state.counts().samples()));
        state.counts().loss().ifPresent(loss -> all.put("loss", String.format(Locale.ROOT, "%.4f", loss)));
        return all;
    }

    /** Returns what was written in spite of a failure, as where only its confirmation was lost. */
    private Optional<CheckpointManifest> written(long before, Exception failure) throws UnknownOutcomeException {
        try {
            for (ListedCheckpoint listed : checkpoints.list()) {
                if (listed.number() > before && listed instanceof ListedCheckpoint.Whole whole) {
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

    private void tidy(CheckpointManifest manifest, Optional<Integer> follows) {
        int needed = newestSegment;
        follows.ifPresent(number -> newestSegment = number);
        try {
            checkpoints.retain(keep);
            if (follows.isPresent() && journal.isPresent()) {
                journal.get().deleteBefore(needed);
            }
        } catch (IOException | RuntimeException left) {
            LOG.warn("what {} makes unnecessary could not be deleted", manifest.name(), left);
        }
    }
}
