package org.fleetgrad.ps.web;

/** The service does not start, for a reason that its user can mend; the message says which and how. */
final class StartRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Without a cause, for a reason whose causes may quote a key's file. */
    StartRefusedException(String message) {
        super(message);
    }

    StartRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
