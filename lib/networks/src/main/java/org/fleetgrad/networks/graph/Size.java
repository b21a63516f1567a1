package org.fleetgrad.networks.graph;

/**
 * One side of a shape.
 *
 * @param count    1 or more
 * @param isOfBatch whether it is so many for each sample of the batch
 */
public record Size(long count, boolean isOfBatch) {

    /** Returns the side for a batch of some samples. */
    public long of(long samples) {
        return isOfBatch ? Math.multiplyExact(count, samples) : count;
    }
}
