package org.fleetgrad.inference.security;

/** The service does not start with these settings of keys and addresses; the message says what to do. */
final class InsecureStartException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Refuses without a cause: a cause might quote the file of a key. */
    InsecureStartException(String message) {
        super(message);
    }
}
