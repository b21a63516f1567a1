package org.fleetgrad.ps.outcome;

import org.fleetgrad.protocol.ParameterVersion;

/** The outcome of a rollback to a checkpoint. */
public sealed interface RollbackOutcome {

    /**
     * The run continues from there, in a new generation.
     *
     * @param version the version under which it is served
     */
    record RolledBack(ParameterVersion version) implements RollbackOutcome {}

    /** There is no such checkpoint, or it cannot be used; the run is unchanged. */
    record Unusable(String detail) implements RollbackOutcome {}
}
