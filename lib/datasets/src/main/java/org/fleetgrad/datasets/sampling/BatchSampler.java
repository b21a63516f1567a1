package org.fleetgrad.datasets.sampling;

/**
 * Draws the batches of an epoch: a permutation of all samples that depends on seed and epoch alone, cut into batches.
 *
 * <p>Because any epoch can be drawn again, a position in the work is two numbers (epoch, batch), and a worker that takes
 * over another's shard goes on exactly where that one stopped. Immutable, safe from several threads.
 */
public final class BatchSampler {

    private final int count;
    private final int batchSize;
    private final long seed;

    /**
     * Prepares to sample.
     *
     * @param count     samples to visit, at least 1
     * @param batchSize samples of a batch, at least 1; the last batch of an epoch has what is left
     * @param seed      of the permutations
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

    /** Draws the {@code epoch}-th epoch, counted from 0: each sample exactly once, in an order of its own. */
    public Epoch epoch(long epoch) {
        return new Epoch(permutation(epoch), batchSize);
    }

    /** Fisher and Yates's shuffle in the form of Durstenfeld (1964). */
    private int[] permutation(long epoch) {
        SplitMix64 random = SplitMix64.of(seed, epoch);
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            int j = random.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        return order;
    }
}
