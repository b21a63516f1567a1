package org.fleetgrad.ps.work;

import java.io.IOException;
import org.fleetgrad.protocol.work.Cursor;

/** The log of changes to the assignments: each is written down before it is made. */
public interface ShardLog {

    /** Writes that a worker is given a shard, and before it that the worker joined, if the log does not say so yet. */
    void leased(String worker, Cursor cursor) throws IOException;

    /** Writes that a worker gave its shard back. */
    void returned(String worker) throws IOException;

    /** Keeps the whole state, which a new work plan is part of. */
    void keep() throws IOException;
}
