package org.fleetgrad.runs.kept;

import java.time.Instant;

/**
 * How a run ended, as it said itself.
 *
 * @param how    ended, stopped or failed
 * @param reason of a failure; else empty
 */
public record RunEnd(RunState how, Instant at, String reason) {

    public RunEnd {
        if (how != RunState.ENDED && how != RunState.STOPPED && how != RunState.FAILED) {
            throw new IllegalArgumentException("a run says that it ended, stopped or failed; this is " + how);
        }
    }
}
