package org.fleetgrad.worker.training;

import org.jspecify.annotations.Nullable;

/** Training cannot continue, and a retry would not help; the message is for the user. */
public final class TrainingFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    TrainingFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
