package org.fleetgrad.pipeline.channel.socket;

import java.io.IOException;

/** The reason that the stage at the other end gave, in its own words. */
final class FailedNeighbour extends IOException {

    private static final long serialVersionUID = 1;

    FailedNeighbour(String reason) {
        super(reason);
    }
}
