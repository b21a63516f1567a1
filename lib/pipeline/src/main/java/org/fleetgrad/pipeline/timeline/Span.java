package org.fleetgrad.pipeline.timeline;

import java.util.Objects;

/**
 * One interval of a stage's time.
 *
 * @param stage      from 0
 * @param activity   what it did
 * @param microBatch index in the run of the micro-batch, or of the last one of a step
 * @param weights    the version of the weights: those in the Jacobian for a backward pass, the new ones for a step
 * @param predicted  number of steps by which these weights were predicted ahead of that version; 0 if they were not
 * @param staleness  of a backward pass: the steps since the forward pass of this micro-batch. Otherwise 0
 * @param start      on the clock of the run, in nanoseconds
 * @param end        not before {@code start}
 */
public record Span(
        int stage,
        Activity activity,
        long microBatch,
        long weights,
        int predicted,
        int staleness,
        long start,
        long end) {

    public Span {
        Objects.requireNonNull(activity, "activity");
        if (end < start) {
            throw new IllegalArgumentException("%s of micro-batch %d on stage %d ends at %d, before it starts at %d"
                    .formatted(activity, microBatch, stage, end, start));
        }
    }

    /** Returns how long it took. */
    public long duration() {
        return end - start;
    }

    /** What a stage spends its time on; everything else is a bubble. */
    public enum Activity {
        FORWARD,
        /** Includes the recomputed forward pass, if there is one. */
        BACKWARD,
        /** The step of the optimizer, with the cures that belong to it. */
        STEP
    }
}
