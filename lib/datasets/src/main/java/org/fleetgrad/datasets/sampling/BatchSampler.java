package org.fleetgrad.datasets.sampling;

/**
 * Draws the batches of an epoch: a permutation of all samples that depends on seed and epoch alone, cut into batches.
 *
 * <p>Because every epoch can be reproduced, two numbers (epoch, batch) give a position in the work, and a worker that takes
 * over a shard continues exactly where its predecessor stopped. Immutable and thread-safe.
 */
public final class BatchSampler {

    private final int count;
    private final int batchSize;
    private final long seed;

    /**
     * Makes a sampler.
     *
     * @param count     number of samples, at least 1
     * @param batchSize samples of a batch, at least 1; the last batch of an epoch has the remaining samples
     * @param seed      seed of the permutations
     */
    public BatchSampler(int count, int batchSize, long seed) {
        if (count < 1 || batchSize < 1) {
            throw new IllegalArgumentException(
                    "samples and batch size must be 1 or more: %d and %d".formatted(count, batchSize));
        }
        this.count = count;
        this.batchSize = batchSize;
        this.seed = seed;
    }

    /** Returns the number of batches of an epoch. */
    public int batchCount() {
        return (count - 1) / batchSize + 1;
    }

    /**
     * Draws the {@code epoch}-th epoch, counted from 0: each sample exactly once, in an order that depends on the epoch.
     */
    public Epoch epoch(long epoch) {
        return new Epoch(SplitMix64.of(seed, epoch).permutation(count), batchSize);
    }
}
