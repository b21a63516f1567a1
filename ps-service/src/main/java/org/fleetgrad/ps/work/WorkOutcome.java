package org.fleetgrad.ps.work;

/** The outcome of a request to set the work of the run. */
public sealed interface WorkOutcome {

    /**
     * It is the work of the run.
     *
     * @param isNew whether it began now
     */
    record Accepted(boolean isNew) implements WorkOutcome {}

    /** The run is in the middle of other work. */
    record Exists(String detail) implements WorkOutcome {}
}
