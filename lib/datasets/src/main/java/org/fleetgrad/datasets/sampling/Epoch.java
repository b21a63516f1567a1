package org.fleetgrad.datasets.sampling;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Objects;
import java.util.stream.IntStream;

/** The batches of one epoch, as indices of samples. Immutable and thread-safe. */
public final class Epoch implements Iterable<int[]> {

    private final int[] order;
    private final int batchSize;

    Epoch(int[] order, int batchSize) {
        this.order = order;
        this.batchSize = batchSize;
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
