package org.fleetgrad.ps.work;

/** The outcome of a worker's request for a shard, or of returning one. */
public sealed interface ShardOutcome {

    /** The worker has this shard. */
    record Leased(Assignment assignment) implements ShardOutcome {}

    /** Other workers hold all remaining pieces. */
    record Wait() implements ShardOutcome {}

    /** All work is done. */
    record Done() implements ShardOutcome {}

    /**
     * The worker no longer has the shard.
     *
     * @param isComplete whether all of it is done
     * @param sample     samples of it that are done
     */
    record Returned(boolean isComplete, long sample) implements ShardOutcome {}

    /**
     * Nothing was changed.
     *
     * @param reason the rule
     * @param detail the numbers, in a sentence
     */
    record Refused(Reason reason, String detail) implements ShardOutcome {}

    /** Why nothing was changed. */
    enum Reason {
        NO_WORK,
        UNKNOWN_WORKER
    }
}
