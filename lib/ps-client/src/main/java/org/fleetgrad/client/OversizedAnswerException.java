package org.fleetgrad.client;

import java.io.IOException;

/** A response is larger than the client accepts. A retry would not help. */
final class OversizedAnswerException extends IOException {

    private static final long serialVersionUID = 1L;

    OversizedAnswerException(String message) {
        super(message);
    }
}
