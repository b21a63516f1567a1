package org.fleetgrad.datasets.sampling;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Draws the batches of an epoch, cut from a permutation of all samples that depends on seed and epoch alone, or from a draw in which
 * the classes are balanced.
 *
 * <p>Because every epoch can be reproduced, two numbers (epoch, batch) give a position in the work, and a worker that takes
 * over a shard continues exactly where its predecessor stopped. Immutable and thread-safe.
 */
public final class BatchSampler {

    private final int count;
    private final int batchSize;
    private final long seed;
    private final Function<SplitMix64, int[]> draw;

    /**
     * Makes a sampler of each sample once.
     *
     * @param count     number of samples, at least 1
     * @param batchSize samples of a batch, at least 1; the last batch of an epoch has the remaining samples
     * @param seed      seed of the permutations
     */
    public BatchSampler(int count, int batchSize, long seed) {
        this(count, batchSize, seed, random -> random.permutation(count));
    }

    private BatchSampler(int count, int batchSize, long seed, Function<SplitMix64, int[]> draw) {
        if (count < 1 || batchSize < 1) {
            throw new IllegalArgumentException(
                    "samples and batch size must be 1 or more: %d and %d".formatted(count, batchSize));
        }
        this.count = count;
        this.batchSize = batchSize;
        this.seed = seed;
        this.draw = draw;
    }

    /**
     * Makes a sampler of balanced classes, of which an epoch has as many samples as there are.
     *
     * @param labels the class of each sample, from 0
     * @param place  of the first sample in the split: another shard has other draws
     */
    public static BatchSampler balanced(int[] labels, int place, int batchSize, long seed) {
        BalancedDraw classes = new BalancedDraw(labels);
        return new BatchSampler(
                labels.length, batchSize, SplitMix64.of(seed, place).nextLong(), classes::draw);
    }

    /** Returns the number of batches of an epoch. */
    public int batchCount() {
        return (count - 1) / batchSize + 1;
    }

    /** Draws the {@code epoch}-th epoch, counted from 0. */
    public Epoch epoch(long epoch) {
        return new Epoch(draw.apply(SplitMix64.of(seed, epoch)), batchSize);
    }

    /** The batches of one epoch, as indices of samples. Immutable and thread-safe. */
    public static final class Epoch implements Iterable<int[]> {

        private final int[] order;
        private final int batchSize;

        Epoch(int[] order, int batchSize) {
            this.order = order;
            this.batchSize = batchSize;
        }

        /** Returns the number of samples. */
        public int sampleCount() {
            return order.length;
        }

        /** Returns the number of batches. */
        public int batchCount() {
            return (order.length - 1) / batchSize + 1;
        }

        /** Returns a new array with the indices of the {@code index}-th batch; only the last may be smaller. */
        public int[] batch(int index) {
            Objects.checkIndex(index, batchCount());
            int from = index * batchSize;
            return samples(from, Math.min(batchSize, order.length - from));
        }

        /** Returns a new array with the indices of {@code count} samples, after the first {@code from} of the epoch. */
        public int[] samples(int from, int count) {
            Objects.checkFromIndexSize(from, count, order.length);
            return Arrays.copyOfRange(order, from, from + count);
        }

        /** Iterates over all batches in order. */
        @Override
        public Iterator<int[]> iterator() {
            return IntStream.range(0, batchCount()).mapToObj(this::batch).iterator();
        }
    }
}
