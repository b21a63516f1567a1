package org.fleetgrad.simulation.world;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.ps.persistence.JournalEntry;
import org.fleetgrad.ps.persistence.TrainingState;
import org.fleetgrad.ps.persistence.TrainingStore;

/** A store that a {@link Mutant} changes; as it is here, it changes nothing. */
class FaultyStore implements TrainingStore {

    private final TrainingStore store;

    FaultyStore(TrainingStore store) {
        this.store = store;
    }

    @Override
    public void recover(Replay replay) throws IOException {
        store.recover(new FaultyReplay(replay));
    }

    /** Changes a state that is recovered. */
    TrainingState recovered(TrainingState state) {
        return state;
    }

    /** Changes an entry before it is written. */
    JournalEntry written(JournalEntry entry) {
        return entry;
    }

    private final class FaultyReplay implements Replay {
        private final Replay replay;

        FaultyReplay(Replay replay) {
            this.replay = replay;
        }

        @Override
        public void restore(TrainingState state) {
            replay.restore(recovered(state));
        }

        @Override
        public void restoreWork(WorkPlan plan) {
            replay.restoreWork(plan);
        }

        @Override
        public void replay(JournalEntry entry) {
            replay.replay(entry);
        }

        @Override
        public ParameterVersion version() {
            return replay.version();
        }

        @Override
        public TrainingState state() {
            return replay.state();
        }

        @Override
        public void beginGeneration() {
            replay.beginGeneration();
        }
    }

    @Override
    public boolean isJournaling() {
        return store.isJournaling();
    }

    @Override
    public void append(JournalEntry entry) throws IOException {
        store.append(written(entry));
    }

    @Override
    public void commit() throws IOException {
        store.commit();
    }

    @Override
    public void checkpointIfDue(ParameterVersion version, boolean hasNoWorkers, Supplier<TrainingState> state) {
        store.checkpointIfDue(version, hasNoWorkers, state);
    }

    @Override
    public void persist(TrainingState state) throws IOException {
        store.persist(state);
    }

    @Override
    public void persistWork(WorkPlan plan) throws IOException {
        store.persistWork(plan);
    }

    @Override
    public TrainingState read(long checkpoint) throws IOException {
        return store.read(checkpoint);
    }

    @Override
    public void close(Optional<TrainingState> last) throws IOException {
        store.close(last);
    }

    @Override
    public Optional<String> writeFailure() {
        return store.writeFailure();
    }
}
