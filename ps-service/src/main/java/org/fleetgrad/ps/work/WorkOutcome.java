package org.fleetgrad.ps.work;

/** The outcome of a request to set the work of the run. */
public sealed interface WorkOutcome {

    /**
     * It is now the work of the run.
     *
     * @param isNew whether it began now
     */
    record Accepted(boolean isNew) implements WorkOutcome {}

    /** Other work of the run is in progress. */
    record Exists(String detail) implements WorkOutcome {}
}
