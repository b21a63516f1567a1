package org.fleetgrad.ps.run;

import java.io.IOException;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.ps.persistence.JournalEntry;
import org.fleetgrad.ps.persistence.TrainingStore;
import org.fleetgrad.ps.work.ShardLog;

/** Writes the changes of the assignments to the run's journal. Belongs to the applier. */
record JournaledShards(LiveRun run, TrainingStore store) implements ShardLog {

    @Override
    public void leased(String worker, Cursor cursor) throws IOException {
        // The shard is free again when the journal says that its worker left: so it has to say first that it joined.
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
            store.keep(run.state());
        }
    }
}
