package org.fleetgrad.web;

/** The service does not start, for a reason that its user can fix; the message says how. */
public final class StartRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Refuses without a cause: a cause might quote the file of a key. */
    public StartRefusedException(String message) {
        super(message);
    }

    /** Refuses for a cause. */
    public StartRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
