package org.fleetgrad.inference.web;

/** A body is larger than accepted. */
final class BodyTooLargeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int limitBytes;

    BodyTooLargeException(String message, int limitBytes) {
        super(message);
        this.limitBytes = limitBytes;
    }

    int limitBytes() {
        return limitBytes;
    }
}
