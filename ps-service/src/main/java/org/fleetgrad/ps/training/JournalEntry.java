package org.fleetgrad.ps.training;

import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.ps.membership.Worker;

/**
 * One thing that changed the run. The entries since a state, done again in their order, make the same bits: each states
 * what was decided, so that doing it again asks neither the clock nor the leases.
 */
public sealed interface JournalEntry {

    /**
     * A gradient was taken.
     *
     * @param values  as they were sent, before any rule; read before the append returns, never kept
     * @param isSteps whether it made a step, with those that waited
     */
    record Taken(GradientMetadata metadata, float[] values, boolean isSteps) implements JournalEntry {}

    /** The gradients that waited made a step, because those they waited for are gone. */
    record Stepped() implements JournalEntry {}

    /** A worker was seen for the first time since it was gone. */
    record Joined(Worker worker) implements JournalEntry {}

    /** A worker is gone. */
    record Left(String worker) implements JournalEntry {}

    /** A worker was given a shard, to begin behind the cursor's sample. */
    record Leased(String worker, Cursor cursor) implements JournalEntry {}

    /** A worker gave its shard back. */
    record Returned(String worker) implements JournalEntry {}
}
