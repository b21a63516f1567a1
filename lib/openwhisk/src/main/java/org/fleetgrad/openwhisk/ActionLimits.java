package org.fleetgrad.openwhisk;

import java.time.Duration;

/**
 * The limits of an activation. The controller checks OpenWhisk's own bounds, which its operator sets.
 *
 * @param timeout   longest time of a run, and of an initialization; whole milliseconds
 * @param memoryMib memory of its container, MiB
 * @param logsMib   longest log, MiB
 */
public record ActionLimits(Duration timeout, int memoryMib, int logsMib) {

    /** OpenWhisk's defaults. */
    public static final ActionLimits DEFAULT = new ActionLimits(Duration.ofSeconds(60), 256, 10);

    /** Checks that a controller can read each limit. */
    public ActionLimits {
        if (timeout.toMillis() < 1 || timeout.toMillis() > Integer.MAX_VALUE || memoryMib < 1 || logsMib < 0) {
            throw new IllegalArgumentException(
                    "an action must have a time limit of 1 ms or more, memory of 1 MiB or more and logs of 0 MiB or more; it has %s, %d MiB and %d MiB"
                            .formatted(timeout, memoryMib, logsMib));
        }
    }
}
