package org.fleetgrad.simulation.world;

import java.io.IOException;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.ps.durability.ForwardingStore;
import org.fleetgrad.ps.persistence.JournalEntry;
import org.fleetgrad.ps.persistence.TrainingState;
import org.fleetgrad.ps.persistence.TrainingStore;

/** A store that a {@link Mutant} changes; as it is here, it changes nothing. */
class FaultyStore extends ForwardingStore {

    FaultyStore(TrainingStore store) {
        super(store);
    }

    @Override
    public void recover(Replay replay) throws IOException {
        super.recover(new FaultyReplay(replay));
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
    public void append(JournalEntry entry) throws IOException {
        super.append(written(entry));
    }
}
