package org.fleetgrad.inference.web;

/** There is no version yet. */
final class NoModelException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NoModelException(String message) {
        super(message);
    }
}
