package org.fleetgrad.inference.web;

/** A body does not end in time, or breaks off. */
final class BrokenBodyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    BrokenBodyException(String message) {
        // No stack trace: untrusted clients cause it.
        super(message, null, false, false);
    }
}
