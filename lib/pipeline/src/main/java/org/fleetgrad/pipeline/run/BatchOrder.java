package org.fleetgrad.pipeline.run;

import java.util.ArrayList;
import java.util.List;

/**
 * The micro-batches of a run, one after the other: in each epoch all shards, and of each shard all samples. Every stage
 * computes the order from the sizes of the shards alone, so it is never sent. Immutable and thread-safe.
 */
public final class BatchOrder {

    private final List<BatchPlace> ofEpoch = new ArrayList<>();
    private final List<Long> samplesBefore = new ArrayList<>();
    private final long samples;

    /**
     * @param shards        number of samples of each shard, 1 or more
     * @param microBatch    samples of a micro-batch, 1 or more; the last one of a shard has the remaining samples
     * @param avoidsSingles whether a last micro-batch of one sample gets a second one from the micro-batch before, because
     *     BatchNorm may otherwise normalize a single value, which has no variance
     */
    public BatchOrder(List<Integer> shards, int microBatch, boolean avoidsSingles) {
        if (shards.isEmpty() || microBatch < 1 || shards.stream().anyMatch(size -> size < 1)) {
            throw new IllegalArgumentException(
                    "an epoch needs a shard, each shard a sample, and a micro-batch 1 or more; there are shards of %s, and micro-batches of %d"
                            .formatted(shards, microBatch));
        }
        long all = 0;
        for (int shard = 0; shard < shards.size(); shard++) {
            int size = shards.get(shard);
            for (int at = 0; at < size; ) {
                int full = Math.min(microBatch, size - at);
                boolean leavesOne = avoidsSingles && size - at - full == 1 && full > 2;
                int count = leavesOne ? full - 1 : full;
                samplesBefore.add(all);
                ofEpoch.add(new BatchPlace(0, shard, at, count));
                at += count;
                all += count;
            }
        }
        this.samples = all;
    }

    /** Returns the number of micro-batches of an epoch. */
    public int perEpoch() {
        return ofEpoch.size();
    }

    /** Returns the number of samples of an epoch. */
    public long samplesPerEpoch() {
        return samples;
    }

    /** Returns where the samples of a micro-batch are; {@code index} is its place in the run, from 0. */
    public BatchPlace at(long index) {
        BatchPlace place = ofEpoch.get((int) (index % perEpoch()));
        return new BatchPlace(index / perEpoch(), place.shard(), place.from(), place.count());
    }

    /** Returns the number of samples in all micro-batches before one of them. */
    public long samplesBefore(long index) {
        return index / perEpoch() * samples + samplesBefore.get((int) (index % perEpoch()));
    }

    /**
     * Where the samples of a micro-batch are.
     *
     * @param epoch from 0
     * @param shard index of the shard, from 0
     * @param from  place of the first sample in the shard's order of this epoch
     * @param count number of samples, 1 or more
     */
    public record BatchPlace(long epoch, int shard, int from, int count) {}
}
