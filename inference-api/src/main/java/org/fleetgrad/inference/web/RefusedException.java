package org.fleetgrad.inference.web;

import org.springframework.http.HttpStatus;

/** A request was not computed, though it may be valid. */
final class RefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final HttpStatus status;
    private final String rule;

    RefusedException(HttpStatus status, String rule, String message) {
        super(message);
        this.status = status;
        this.rule = rule;
    }

    HttpStatus status() {
        return status;
    }

    String rule() {
        return rule;
    }
}
