package org.fleetgrad.ps.durability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.fleetgrad.checkpoints.CheckpointLocation;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.checkpoints.Checkpoints;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.ps.persistence.JournalEntry;
import org.fleetgrad.ps.persistence.TrainingState;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Persists a run across restarts: with checkpoints and, if it is journaled, a journal of every gradient accepted since.
 *
 * <p>INVARIANT: the segment that a checkpoint names is created before the checkpoint, so a checkpoint without its
 * segment means that history was lost. The two newest checkpoints have all their segments: if the newest checkpoint is
 * damaged, the older one and its longer journal give the same bits.
 */
public final class DurableTraining implements TrainingStore {

    private static final Logger LOG = LoggerFactory.getLogger(DurableTraining.class);

    private final DurabilitySettings settings;
    private final Arithmetic arithmetic;
    private final Checkpoints checkpoints;
    private final EarlyWork earlyWork;
    private final Optional<Journal> journal;
    private final Clock steady;
    private final CheckpointWriter checkpointWriter;
    private final Listener listener;
    private final Optional<FolderLock> lock;
    private final WriteFailures failures;
    private final Optional<JournalWriter> entries;
    /** Writes checkpoints beside the training: one at a time. */
    private final Background writer;

    private long checkpointedVersion;
    private long parameterBytes;
    private Instant checkpointedAt;
    private boolean isChanged;
    // After a failure only the interval triggers another checkpoint, so that a full disk is not tried at every push.
    private volatile boolean isFailing;
    // True if it is unknown whether a refused state is in a checkpoint.
    private boolean isUnknown;

    /**
     * Opens a location. Locks it against other servers, but changes nothing in it yet.
     *
     * @param clock  says when a checkpoint was written
     * @param steady measures the intervals between them: one that nobody can set
     * @param notes  strings for people, which go into each manifest
     * @throws IOException if the location cannot be used, or another server uses it
     */
    public DurableTraining(
            DurabilitySettings settings,
            TrainingSettings training,
            CheckpointLocation location,
            Clock clock,
            Clock steady,
            Supplier<Map<String, String>> notes,
            Listener listener)
            throws IOException {
        this(settings, training, location, clock, steady, notes, listener, new BackgroundThread("checkpoint"));
    }

    /**
     * @param writer writes checkpoints beside the training
     */
    DurableTraining(
            DurabilitySettings settings,
            TrainingSettings training,
            CheckpointLocation location,
            Clock clock,
            Clock steady,
            Supplier<Map<String, String>> notes,
            Listener listener,
            Background writer)
            throws IOException {
        Optional<Path> folder = location.folder();
        if (settings.isJournaling() && folder.isEmpty()) {
            throw new IllegalArgumentException(
                    "a journal needs a folder, but the location is %s: write a folder, such as a mounted volume, or durability checkpoint"
                            .formatted(location));
        }
        this.settings = settings;
        this.writer = writer;
        this.arithmetic = Arithmetic.of(training);
        this.steady = steady;
        this.listener = listener;
        this.checkpointedAt = steady.instant();
        this.failures = new WriteFailures(folder);
        this.lock = folder.isPresent() ? Optional.of(FolderLock.take(folder.get())) : Optional.empty();
        this.checkpoints = Checkpoints.open(location);
        this.earlyWork = new EarlyWork(location);
        // A run with other settings may have left a journal, which belongs to the recovered state.
        Optional<Path> journals = folder.map(path -> path.resolve("journal"))
                .filter(path -> settings.isJournaling() || Files.isDirectory(path));
        this.journal = journals.isPresent() ? Optional.of(new Journal(journals.get())) : Optional.empty();
        this.checkpointWriter =
                new CheckpointWriter(checkpoints, settings.keep(), journal, arithmetic, clock, notes, listener);
        this.entries = journal.filter(any -> settings.isJournaling()).map(to -> new JournalWriter(to, arithmetic));
    }

    @Override
    public void recover(Replay replay) throws IOException {
        Optional<Recovery.Recovered> recovered = new Recovery(checkpoints, journal, arithmetic).recover(replay);
        if (recovered.isEmpty()) {
            earlyWork.read().ifPresent(replay::restoreWork);
            return;
        }
        if (!recovered.get().isComplete()) {
            replay.beginGeneration();
        }
        recovered.get().segment().ifPresent(number -> {
            checkpointWriter.recoveredFrom(number);
            entries.ifPresent(to -> to.recoveredFrom(number));
        });
        save(replay.state(), recovered.get().isComplete(), false);
        if (!settings.isJournaling() && journal.isPresent()) {
            // The new checkpoint contains the entries of the journal that earlier settings left.
            journal.get().deleteBefore(Integer.MAX_VALUE);
        }
    }

    @Override
    public boolean isJournaling() {
        return settings.isJournaling();
    }

    @Override
    public void append(JournalEntry entry) throws IOException {
        requireKnownState();
        if (entries.isPresent()) {
            try {
                entries.get().append(entry);
                failures.journalWritten();
            } catch (IOException full) {
                failures.journalFailed(full);
                throw full;
            }
        }
        isChanged = true;
    }

    private void requireKnownState() throws IOException {
        if (isUnknown) {
            throw new IOException("it is unknown which state a restart would recover");
        }
    }

    @Override
    public void commit() throws IOException {
        requireKnownState();
        if (entries.isPresent()) {
            try {
                entries.get().force();
            } catch (IOException full) {
                failures.journalFailed(full);
                throw full;
            }
        }
    }

    @Override
    public void checkpointIfDue(ParameterVersion version, boolean hasNoWorkers, Supplier<TrainingState> state) {
        if (!(isChanged || isFailing) || !writer.isIdle()) {
            return;
        }
        boolean isIntervalOver = !steady.instant().isBefore(checkpointedAt.plus(settings.interval()));
        boolean isJournalFull = entries.map(JournalWriter::bytes)
                .filter(bytes -> bytes >= settings.journalBytes(parameterBytes))
                .isPresent();
        long moved = version.version() - checkpointedVersion;
        boolean isVersionLimitReached = settings.versions() > 0 && moved >= settings.versions();
        // When the work has ended, its model is on the disk before anyone requests it. Workers that join and leave one
        // by one cause few extra checkpoints.
        boolean isWorkOver =
                hasNoWorkers && moved > 0 && !steady.instant().isBefore(checkpointedAt.plus(settings.pause()));
        if (isIntervalOver || (!isFailing && (isJournalFull || isVersionLimitReached || isWorkOver))) {
            saveInBackground(state.get());
        }
    }

    private void saveInBackground(TrainingState state) {
        Optional<JournalSegment> next;
        try {
            next = begin(state, true);
        } catch (IOException full) {
            // The current segment stays in use; the next attempt follows after another interval.
            checkpointedAt = steady.instant();
            failed(full, state);
            return;
        }
        entries.ifPresent(to -> to.use(next));
        saved(state);
        writer.start(() -> {
            try {
                checkpointWriter.write(state, next.map(JournalSegment::number), false);
                written();
            } catch (IOException | RuntimeException failed) {
                failed(failed, state);
            } catch (Error failed) {
                // Not enough memory for the copy of a large state: the run continues with its journal.
                failed(new IllegalStateException("a checkpoint could not be assembled", failed), state);
            }
        });
    }

    private void written() {
        isFailing = false;
        failures.checkpointWritten();
    }

    private void failed(Exception failure, TrainingState state) {
        isFailing = true;
        failures.checkpointFailed(failure, bytes(state));
        listener.checkpointFailed(failure);
    }

    /** Returns the bytes of a checkpoint, about: the parameters, and arrays of the same size of the optimizer. */
    private static long bytes(TrainingState state) {
        return state.layout().byteLength() * (1 + state.optimizer().buffers().size());
    }

    @Override
    public void persist(TrainingState state) throws IOException {
        try {
            save(state, false, false);
        } catch (IOException full) {
            failures.checkpointFailed(full, bytes(state));
            throw full;
        }
    }

    @Override
    public Optional<String> writeFailure() {
        return failures.newest();
    }

    @Override
    public void persistWork(WorkPlan plan) throws IOException {
        earlyWork.write(plan);
    }

    /** Writes a checkpoint now. If this fails, the journal continues as before. */
    private void save(TrainingState state, boolean continues, boolean isFinal) throws IOException {
        // Also if this thread is interrupted meanwhile: two writes must not overlap.
        writer.await();
        Optional<JournalSegment> next = begin(state, continues);
        boolean isWritten = false;
        try {
            checkpointWriter.write(state, next.map(JournalSegment::number), isFinal);
            isWritten = true;
        } catch (CheckpointWriter.UnknownOutcomeException unknown) {
            // A restart may recover this state or the previous one: from now on nothing may be acknowledged that one of
            // them lacks.
            isUnknown = true;
            throw unknown;
        } finally {
            if (!isWritten && !isUnknown && next.isPresent()) {
                entries.orElseThrow().discard(next.get());
            }
        }
        written();
        entries.ifPresent(to -> to.use(next));
        saved(state);
        deleteEarlyWork();
    }

    private void deleteEarlyWork() {
        try {
            earlyWork.delete();
        } catch (IOException remains) {
            // A recovery reads it only if there is no checkpoint.
            LOG.warn("{} was not deleted: {}", EarlyWork.FILE, remains.getMessage());
        }
    }

    private void saved(TrainingState state) {
        checkpointedVersion = state.version().version();
        parameterBytes = state.layout().byteLength();
        checkpointedAt = steady.instant();
        isChanged = false;
    }

    private Optional<JournalSegment> begin(TrainingState state, boolean continues) throws IOException {
        return entries.isPresent() ? Optional.of(entries.get().begin(state, continues)) : Optional.empty();
    }

    @Override
    public TrainingState read(long checkpoint) throws IOException {
        StateFiles.Saved saved = StateFiles.read(checkpoints.read(checkpoint));
        if (!saved.position().arithmetic().isCompatibleWith(arithmetic)) {
            throw new IOException("checkpoint %d was taken with %s; this run has %s"
                    .formatted(checkpoint, saved.position().arithmetic(), arithmetic));
        }
        return saved.state();
    }

    @Override
    public void close(Optional<TrainingState> last) throws IOException {
        try (checkpoints) {
            writer.await();
            if (last.isPresent()) {
                save(last.get(), true, true);
            }
        } finally {
            writer.close();
            entries.ifPresent(to -> to.use(Optional.empty()));
            if (lock.isPresent()) {
                lock.get().close();
            }
        }
    }

    /** Receives notice of checkpoints. Called from several threads; implementations return at once. */
    public interface Listener {

        /** A checkpoint is on the disk. */
        void checkpointTaken(CheckpointManifest manifest, Duration took);

        /** A checkpoint could not be written; the journal since the previous one continues. */
        void checkpointFailed(Exception failure);
    }
}
