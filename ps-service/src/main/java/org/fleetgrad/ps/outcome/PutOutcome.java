package org.fleetgrad.ps.outcome;

import java.util.Optional;
import org.fleetgrad.protocol.ParameterVersion;

/** The outcome of a write of the complete parameter set. */
public sealed interface PutOutcome {

    /**
     * It is now the parameter set.
     *
     * @param version   the version under which it is served
     * @param isInitial whether it began the history
     */
    record Accepted(ParameterVersion version, boolean isInitial) implements PutOutcome {}

    /** The precondition does not hold; {@code newest} is the version that the server has, if any. */
    record PreconditionFailed(Optional<ParameterVersion> newest) implements PutOutcome {}

    /** Its tensors are not those of the run. */
    record LayoutMismatch(String tensor, String detail) implements PutOutcome {}
}
