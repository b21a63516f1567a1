package org.fleetgrad.ps.persistence;

import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.protocol.work.WorkPlan.PlannedShard;
import org.fleetgrad.ps.membership.Worker;
import org.fleetgrad.ps.parameters.Gradient;

/**
 * One change of the run. Replaying the entries after a state in order gives the same bits: each entry states what was
 * decided, so that replaying it reads neither the clock nor the leases.
 */
public sealed interface JournalEntry {

    /**
     * A gradient was taken.
     *
     * @param gradient  as the worker sent it, before any rule; the store reads its values before the append returns and
     *     retains no reference
     * @param makesStep whether it made a step, together with the gradients that waited
     */
    record Taken(Gradient gradient, boolean makesStep) implements JournalEntry {}

    /** A gradient was staged, as in {@link Taken}: it does not count yet. */
    record Staged(Gradient gradient) implements JournalEntry {}

    /**
     * A staged gradient was taken.
     *
     * @param makesStep whether it made a step, together with the gradients that waited
     */
    record Committed(String worker, long sequence, boolean makesStep) implements JournalEntry {}

    /** A push does not count and never will. */
    record Dropped(String worker, long sequence) implements JournalEntry {}

    /** The pending gradients made a step, because the missing workers left or passed. */
    record Stepped() implements JournalEntry {}

    /** A worker became a member, for the first time or again. */
    record Joined(Worker worker) implements JournalEntry {}

    /** A worker left. */
    record Left(String worker) implements JournalEntry {}

    /** A worker was assigned a shard, to begin after the cursor's sample. */
    record Leased(String worker, Cursor cursor) implements JournalEntry {}

    /** A worker gave its shard back. */
    record Returned(String worker) implements JournalEntry {}

    /** A shard was added to the work. */
    record Added(long number, PlannedShard shard) implements JournalEntry {}
}
