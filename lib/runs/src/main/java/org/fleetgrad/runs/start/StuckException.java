package org.fleetgrad.runs.start;

import java.io.IOException;

/** A program is alive and does not start; the message is for the user, with all numbers. */
public final class StuckException extends IOException {

    private static final long serialVersionUID = 1L;

    StuckException(String message) {
        super(message);
    }
}
