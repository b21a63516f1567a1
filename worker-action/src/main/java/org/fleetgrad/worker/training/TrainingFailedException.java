package org.fleetgrad.worker.training;

import org.jspecify.annotations.Nullable;

/** Training cannot go on, for a reason that a retry would meet again; the message is for the user. */
public final class TrainingFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    TrainingFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
