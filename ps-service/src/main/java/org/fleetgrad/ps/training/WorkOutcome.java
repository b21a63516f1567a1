package org.fleetgrad.ps.training;

/** What whoever states the work of the run is answered. */
public sealed interface WorkOutcome {

    /**
     * It is the work of the run.
     *
     * @param isNew whether it began now
     */
    record Accepted(boolean isNew) implements WorkOutcome {}

    /** The run has other work, and is in the middle of it. */
    record Exists(String detail) implements WorkOutcome {}

    /** The disk did not take it. */
    record NotDurable(String detail) implements WorkOutcome {}

    /** Too much waits, or the server stops. */
    record Busy(String detail) implements WorkOutcome {}
}
