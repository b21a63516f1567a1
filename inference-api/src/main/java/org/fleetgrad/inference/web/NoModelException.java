package org.fleetgrad.inference.web;

/** There is no version to answer with. */
final class NoModelException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NoModelException(String message) {
        super(message);
    }
}
