package org.fleetgrad.openwhisk.fake;

/** The request is answered with an error and changes nothing. */
final class Refusal extends Exception {

    private static final long serialVersionUID = 1L;

    private final int status;

    Refusal(int status, String message) {
        super(message);
        this.status = status;
    }

    int status() {
        return status;
    }
}
