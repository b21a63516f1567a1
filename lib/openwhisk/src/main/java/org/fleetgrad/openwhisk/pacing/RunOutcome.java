package org.fleetgrad.openwhisk.pacing;

import java.util.Optional;
import org.fleetgrad.openwhisk.ActivationEnd;
import org.fleetgrad.openwhisk.ActivationRecord;

/** The outcome of one requested activation. */
public sealed interface RunOutcome {

    /** The activation ran and ended. */
    record Ended(ActivationRecord record, ActivationEnd end) implements RunOutcome {

        Ended(ActivationRecord record) {
            this(record, ActivationEnd.of(record));
        }
    }

    /**
     * The activation did not run, and will not.
     *
     * @param isTransient whether the same request may be accepted later
     */
    record NotStarted(boolean isTransient, String message) implements RunOutcome {}

    /**
     * The activation may have run, may still run, or may never have: its response or its end did not arrive in time.
     * OpenWhisk cannot stop it on request; its time limit will.
     *
     * @param activationId its id, if known
     */
    record Lost(Optional<String> activationId, String message) implements RunOutcome {}
}
