package org.fleetgrad.worker.training;

/** Training cannot continue, and a retry would not help; the message is for the user. */
public final class TrainingFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    TrainingFailedException(String message) {
        super(message);
    }

    TrainingFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
