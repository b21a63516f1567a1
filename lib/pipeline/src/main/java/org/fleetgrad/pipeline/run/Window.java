package org.fleetgrad.pipeline.run;

/**
 * A stretch of a run, from an empty pipeline to its flush.
 *
 * @param from  place of its first micro-batch in the run, from 0
 * @param count number of micro-batches, 1 or more
 */
public record Window(long from, int count) {

    /** Returns the place of the first micro-batch behind it. */
    public long end() {
        return from + count;
    }
}
