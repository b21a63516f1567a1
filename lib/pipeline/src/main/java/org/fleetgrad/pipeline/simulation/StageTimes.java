package org.fleetgrad.pipeline.simulation;

/**
 * How long one stage takes, in nanoseconds of a virtual clock.
 *
 * @param forward  of one micro-batch
 * @param backward of one micro-batch, including recomputation
 */
public record StageTimes(long forward, long backward) {

    public StageTimes {
        if (forward < 0 || backward < 0) {
            throw new IllegalArgumentException(
                    "times must be 0 or more; they are %d forward and %d backward".formatted(forward, backward));
        }
    }
}
