package org.fleetgrad.pipeline.channel.socket;

import java.io.IOException;

/** What came over a connection is no frame of its border; the message has the numbers. */
public final class FrameRefusedException extends IOException {

    private static final long serialVersionUID = 1;

    public FrameRefusedException(String message) {
        super(message);
    }

    public FrameRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
