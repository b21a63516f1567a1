package org.fleetgrad.ps.training;

import java.util.Optional;
import org.fleetgrad.protocol.ParameterVersion;

/** What became of a write of the whole parameter set. */
public sealed interface PutOutcome {

    /**
     * It is the parameter set now.
     *
     * @param version   the version under which it is served
     * @param isInitial whether it began the history
     */
    record Accepted(ParameterVersion version, boolean isInitial) implements PutOutcome {}

    /** The precondition does not hold. */
    record PreconditionFailed(Optional<ParameterVersion> newest) implements PutOutcome {}

    /** Its tensors are not those of the run. */
    record LayoutMismatch(String tensor, String detail) implements PutOutcome {}

    /** It could not be kept, and the parameter set is as before. */
    record NotDurable(String detail) implements PutOutcome {}

    /** Too much waits already. */
    record Busy(String detail) implements PutOutcome {}
}
