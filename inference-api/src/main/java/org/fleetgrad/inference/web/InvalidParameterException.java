package org.fleetgrad.inference.web;

/** A parameter of the request is invalid. */
final class InvalidParameterException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InvalidParameterException(String message) {
        super(message);
    }
}
