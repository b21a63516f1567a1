package org.fleetgrad.datasets.shard;

import java.util.List;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;

/** Cuts a split into shards. */
public final class Sharding {

    private Sharding() {}

    /**
     * Cuts samples into consecutive ranges whose sizes differ by at most one, the larger ranges first.
     *
     * @throws IllegalArgumentException if there is no shard, or there are more shards than samples
     */
    public static List<SampleRange> split(int total, int shards) {
        if (shards < 1 || shards > total) {
            throw new IllegalArgumentException("%d samples cannot be cut into %d shards".formatted(total, shards));
        }
        int size = total / shards;
        int larger = total % shards;
        return IntStream.range(0, shards)
                .mapToObj(i -> new SampleRange(i * size + Math.min(i, larger), size + (i < larger ? 1 : 0), total))
                .toList();
    }

    /** Cuts {@code samples} into ranges; see {@link #split(int, int)}. */
    public static List<SampleRange> split(Samples samples, int shards) {
        return split(samples.count(), shards);
    }

    /** Copies the samples of a range. */
    public static Samples slice(Samples samples, SampleRange range) {
        if (range.total() != samples.count()) {
            throw new IllegalArgumentException(
                    "the range is for %d samples, there are %d".formatted(range.total(), samples.count()));
        }
        return samples.slice(range.first(), range.end());
    }
}
