package org.fleetgrad.ps.run;

/** The outcome of a request to add a shard to the work of the run. */
public sealed interface AddOutcome {

    /**
     * It is part of the work.
     *
     * @param isNew whether it was added now; if not, it was added before, and its address is renewed
     */
    record Added(boolean isNew) implements AddOutcome {}

    /**
     * Nothing was changed.
     *
     * @param reason the rule
     * @param detail the numbers, in a sentence
     */
    record Refused(Reason reason, String detail) implements AddOutcome {}

    /** The name is that of the problem. */
    enum Reason {
        NO_WORK,
        WORK_FULL,
        WORK_BEHIND
    }
}
