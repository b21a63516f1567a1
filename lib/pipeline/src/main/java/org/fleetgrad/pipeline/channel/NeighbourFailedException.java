package org.fleetgrad.pipeline.channel;

import java.io.IOException;

/** The stage at the other end of a channel failed; the cause says why, if it is known. */
public final class NeighbourFailedException extends IOException {

    private static final long serialVersionUID = 1;

    public NeighbourFailedException(String channel, Throwable cause) {
        super("the neighbour over %s failed: %s".formatted(channel, cause), cause);
    }
}
