package org.fleetgrad.client;

import java.io.IOException;

/** An answer is larger than the client was told to accept; it would be at the next try, too. */
final class OversizedAnswerException extends IOException {

    private static final long serialVersionUID = 1L;

    OversizedAnswerException(String message) {
        super(message);
    }
}
