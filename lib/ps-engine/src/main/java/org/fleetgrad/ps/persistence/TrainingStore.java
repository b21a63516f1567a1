package org.fleetgrad.ps.persistence;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.function.Supplier;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.work.WorkPlan;

/**
 * Persists a run, so that a restart loses nothing that was acknowledged. Calls never overlap. With a journal they come
 * from the applier's own thread, otherwise from the thread that holds the applier lock. {@link #recover} is the first
 * call.
 */
public interface TrainingStore {

    /** The run that is being recovered. */
    interface Replay {

        /** Continues from a state. */
        void restore(TrainingState state);

        /** Sets the work of a run that has no parameter set yet. */
        void restoreWork(WorkPlan plan);

        /** Replays an entry that follows the state in the journal. */
        void replay(JournalEntry entry);

        /** Returns the version that the run has reached. */
        ParameterVersion version();

        /** Returns the state that the run has reached. */
        TrainingState state();

        /** Begins a new generation, because a part of the old history is lost. */
        void beginGeneration();
    }

    /** Recovers what the store has, if anything. */
    void recover(Replay replay) throws IOException;

    /** Tells whether each change is written to a disk before it is made. */
    boolean isJournaling();

    /** Writes an entry; if this fails, nothing of it remains. It counts once {@link #commit} has returned. */
    void append(JournalEntry entry) throws IOException;

    /** Forces the appended entries to the disk. If this fails, it is unknown what the disk holds: the run must end. */
    void commit() throws IOException;

    /**
     * Offers the committed state, at {@code version}, for a checkpoint in the background, if one is due.
     *
     * @param hasNoWorkers whether no worker is registered: the work has ended, or nobody continues it
     */
    void checkpointIfDue(ParameterVersion version, boolean hasNoWorkers, Supplier<TrainingState> state);

    /** Persists a state that does not follow from the one before; when this returns, it is on the disk. */
    void persist(TrainingState state) throws IOException;

    /** Persists the work of a run that has no parameter set yet; when this returns, it is on the disk. */
    void persistWork(WorkPlan plan) throws IOException;

    TrainingState read(long checkpoint) throws IOException;

    /** Persists the last state, if there is one, and releases the disk. */
    void close(Optional<TrainingState> last) throws IOException;

    TrainingStore NONE = new Noop();

    /** Persists nothing: a restart begins a new run. */
    class Noop implements TrainingStore {

        @Override
        public void recover(Replay replay) {}

        @Override
        public boolean isJournaling() {
            return false;
        }

        @Override
        public void append(JournalEntry entry) {}

        @Override
        public void commit() {}

        @Override
        public void checkpointIfDue(ParameterVersion version, boolean hasNoWorkers, Supplier<TrainingState> state) {}

        @Override
        public void persist(TrainingState state) {}

        @Override
        public void persistWork(WorkPlan plan) {}

        @Override
        public TrainingState read(long checkpoint) throws IOException {
            throw new NoSuchFileException(
                    "checkpoint " + checkpoint, null, "no checkpoints are taken: ps.durability.mode is none");
        }

        @Override
        public void close(Optional<TrainingState> last) {}
    }
}
