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
    public void atRest(ParameterVersion version, boolean isDeserted, Supplier<TrainingState> state) {}

    @Override
    public void keep(TrainingState state) {}

    @Override
    public TrainingState read(long checkpoint) throws IOException {
        throw new NoSuchFileException(
                "checkpoint " + checkpoint, null, "no checkpoints are taken: ps.durability.mode is none");
    }

    @Override
    public void close(Optional<TrainingState> last) {}
}
