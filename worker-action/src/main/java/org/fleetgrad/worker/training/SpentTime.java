package org.fleetgrad.worker.training;

/**
 * What the time of an activation went into. The rest went into its start: registration, the network, the first pull.
 *
 * @param computeNanos  forward and backward passes
 * @param exchangeNanos waiting for gradients to be pushed and parameters to be pulled, and copying them into and out of the network;
 *     with overlap, what batches did not cover
 * @param dataNanos     fetching and decoding shards
 */
public record SpentTime(long computeNanos, long exchangeNanos, long dataNanos) {

    static final SpentTime NONE = new SpentTime(0, 0, 0);

    SpentTime computed(long nanos) {
        return new SpentTime(computeNanos + nanos, exchangeNanos, dataNanos);
    }

    SpentTime exchanged(long nanos) {
        return new SpentTime(computeNanos, exchangeNanos + nanos, dataNanos);
    }

    SpentTime fetched(long nanos) {
        return new SpentTime(computeNanos, exchangeNanos, dataNanos + nanos);
    }
}
