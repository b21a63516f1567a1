package org.fleetgrad.pipeline.timeline;

import java.util.Objects;

/**
 * One stretch of a stage's time.
 *
 * @param stage      from 0
 * @param activity   what it did
 * @param microBatch the micro-batch, or the last one of a step, by its place in the run
 * @param weights    the version that the weights were taken from: of a backward pass those in the Jacobian, of a step
 *     those it made
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
}
