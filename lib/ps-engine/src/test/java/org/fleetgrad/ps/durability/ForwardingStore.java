package org.fleetgrad.ps.durability;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.ps.persistence.JournalEntry;
import org.fleetgrad.ps.persistence.TrainingState;
import org.fleetgrad.ps.persistence.TrainingStore;

/** Forwards every call to a store, for tests that change some of them. */
public class ForwardingStore implements TrainingStore {

    private final TrainingStore store;

    public ForwardingStore(TrainingStore store) {
        this.store = store;
    }

    @Override
    public void recover(Replay replay) throws IOException {
        store.recover(replay);
    }

    @Override
    public boolean isJournaling() {
        return store.isJournaling();
    }

    @Override
    public void append(JournalEntry entry) throws IOException {
        store.append(entry);
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
