package org.fleetgrad.pipeline.run;

/**
 * A part of a run, from an empty pipeline to its flush.
 *
 * @param from  index of its first micro-batch in the run, from 0
 * @param count number of micro-batches, 1 or more
 */
public record Window(long from, int count) {

    /** Returns the index of the first micro-batch after it. */
    public long end() {
        return from + count;
    }
}
