package org.fleetgrad.openwhisk.pacing;

import java.time.Duration;

/**
 * The timeouts of one activation.
 *
 * @param toStart until OpenWhisk accepts the activation
 * @param toEnd   from then until its record is stored: its time in OpenWhisk's queue, its time limit twice (once each
 *     for initialization and run), and the time OpenWhisk needs to notice a dead container
 */
public record ActivationTimeouts(Duration toStart, Duration toEnd) {

    private static final Duration NOTICE = Duration.ofSeconds(30);

    /**
     * Returns the timeouts of an activation with this time limit, which waits in OpenWhisk's queue for {@code queue} at
     * most.
     */
    public static ActivationTimeouts of(Duration toStart, Duration queue, Duration timeLimit) {
        return new ActivationTimeouts(
                toStart, queue.plus(timeLimit.multipliedBy(2)).plus(NOTICE));
    }
}
