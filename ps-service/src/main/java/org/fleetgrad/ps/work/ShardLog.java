package org.fleetgrad.ps.work;

import java.io.IOException;
import org.fleetgrad.protocol.work.Cursor;

/** The log of changes to the assignments: each is written before it is made. */
public interface ShardLog {

    /** Writes that a worker was assigned a shard; before that, that the worker joined, if the log does not say so yet. */
    void leased(String worker, Cursor cursor) throws IOException;

    /** Writes that a worker gave its shard back. */
    void returned(String worker) throws IOException;

    /** Persists the complete state, which includes a new work plan. */
    void keep() throws IOException;
}
