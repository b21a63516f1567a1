package org.fleetgrad.ps.persistence;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.function.Supplier;
import org.fleetgrad.protocol.ParameterVersion;

/** Persists nothing: a restart begins a new run. */
public class NoTrainingStore implements TrainingStore {

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
    public TrainingState read(long checkpoint) throws IOException {
        throw new NoSuchFileException(
                "checkpoint " + checkpoint, null, "no checkpoints are taken: ps.durability.mode is none");
    }

    @Override
    public void close(Optional<TrainingState> last) {}
}
