package org.fleetgrad.openwhisk.pacing;

import java.time.Duration;

/**
 * How long somebody waits.
 *
 * @param toStart until an activation is accepted
 * @param toEnd   from then until its record is stored: its time in OpenWhisk's queue, its time limit twice (initialization
 *     and run have one each), and what a dead container costs OpenWhisk to notice
 */
public record Patience(Duration toStart, Duration toEnd) {

    private static final Duration NOTICE = Duration.ofSeconds(30);

    /** Waits as long as an activation of that time limit may take, after {@code queue} at most. */
    public static Patience of(Duration toStart, Duration queue, Duration timeLimit) {
        return new Patience(toStart, queue.plus(timeLimit.multipliedBy(2)).plus(NOTICE));
    }
}
