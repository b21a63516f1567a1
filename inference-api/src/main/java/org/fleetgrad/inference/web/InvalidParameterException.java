package org.fleetgrad.inference.web;

/** A parameter of the request is not what it must be. */
final class InvalidParameterException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InvalidParameterException(String message) {
        super(message);
    }
}
