package org.fleetgrad.pipeline.channel.socket;

import java.io.IOException;

/** The bytes received on a connection are no frame of its border; the message has the numbers. */
public final class FrameRefusedException extends IOException {

    private static final long serialVersionUID = 1;

    public FrameRefusedException(String message) {
        super(message);
    }

    public FrameRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
