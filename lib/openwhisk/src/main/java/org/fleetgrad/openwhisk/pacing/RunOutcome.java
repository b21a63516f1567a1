package org.fleetgrad.openwhisk.pacing;

import java.util.Optional;
import org.fleetgrad.openwhisk.ActivationEnd;
import org.fleetgrad.openwhisk.ActivationRecord;

/** What became of one activation that somebody wanted. */
public sealed interface RunOutcome {

    /**
     * It ran, and is over.
     *
     * @param record what is stored of it
     * @param end    how it ended
     */
    record Ended(ActivationRecord record, ActivationEnd end) implements RunOutcome {}

    /**
     * It did not run, and will not.
     *
     * @param isTransient whether it may be accepted later, as it is
     * @param message     why
     */
    record NotStarted(boolean isTransient, String message) implements RunOutcome {}

    /**
     * It may have run, may still run, or may never have: its answer or its end did not come in time. OpenWhisk cannot be told
     * to stop it; its time limit will.
     *
     * @param activationId its id, where there is one
     * @param message      what is known
     */
    record Lost(Optional<String> activationId, String message) implements RunOutcome {}
}
