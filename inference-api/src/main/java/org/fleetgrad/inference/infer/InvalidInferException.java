package org.fleetgrad.inference.infer;

/** A request of the Open Inference Protocol is malformed; the message says how, with every number. */
public final class InvalidInferException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InvalidInferException(String message) {
        super(message);
    }

    InvalidInferException(String message, Throwable cause) {
        super(message, cause);
    }
}
