package org.fleetgrad.ps.run;

import java.io.IOException;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.ps.persistence.JournalEntry;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.work.ShardLog;

/** Writes the changes of the assignments to the run's journal. Confined to the applier. */
record JournaledShards(LiveRun run, TrainingStore store) implements ShardLog {

    @Override
    public void leased(String worker, Cursor cursor) throws IOException {
        // A replay frees the shard when it reads that the worker left, so the journal must first say that it joined.
        run.members().admit(worker);
        store.append(new JournalEntry.Leased(worker, cursor));
    }

    @Override
    public void returned(String worker) throws IOException {
        store.append(new JournalEntry.Returned(worker));
    }

    @Override
    public void keep() throws IOException {
        if (run.now().isPresent()) {
            store.persist(run.state());
        }
    }
}
