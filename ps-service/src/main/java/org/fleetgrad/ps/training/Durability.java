package org.fleetgrad.ps.training;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.fleetgrad.protocol.ParameterVersion;

/**
 * Keeps what the applier does, so that a restart loses nothing that was acknowledged. Every call comes from the applier's
 * thread, {@link #recover} before any other.
 */
public interface Durability {

    /** Takes over what was kept. */
    interface Replay {

        /** Goes on from a state. */
        void restore(TrainingState state);

        /** Does again what was done after it. */
        void replay(JournalEntry entry);

        /** Returns the version that this has come to. */
        ParameterVersion version();

        /** Returns the state that this has come to. */
        TrainingState state();

        /** Counts the history that follows as another one, because some of the old one is lost. */
        void beginGeneration();
    }

    /** Brings back what was kept, if anything was. */
    void recover(Replay replay) throws IOException;

    /** Tells whether entries go to a disk before what they tell of is done. */
    boolean isJournaling();

    /** Writes an entry; when this fails, nothing of it remains. It counts once {@link #commit} has returned. */
    void append(JournalEntry entry) throws IOException;

    /** Forces what was appended to the disk. When this fails, nobody knows what is there: nothing more may be taken. */
    void commit() throws IOException;

    /** Offers the state at rest, at {@code version}, for a checkpoint in the background if one is due. */
    void atRest(ParameterVersion version, Supplier<TrainingState> state);

    /** Keeps a state that does not follow from the one before: it is kept when this returns. */
    void keep(TrainingState state) throws IOException;

    /** Reads the state of a checkpoint. */
    TrainingState read(long checkpoint) throws IOException;

    /** Keeps the last state, where there is one, and lets go of the disk. */
    void close(Optional<TrainingState> last) throws IOException;

    /** Keeps nothing. */
    Durability NONE = new NoDurability();
}
