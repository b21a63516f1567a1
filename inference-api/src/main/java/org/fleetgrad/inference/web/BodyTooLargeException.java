package org.fleetgrad.inference.web;

/** A body exceeds the size limit. */
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
