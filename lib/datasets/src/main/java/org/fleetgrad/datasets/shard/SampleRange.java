package org.fleetgrad.datasets.shard;

/**
 * Consecutive samples of a split.
 *
 * @param first index of the first sample
 * @param count number of samples, at least 1
 * @param total number of samples of the complete split
 */
public record SampleRange(int first, int count, int total) {

    public SampleRange {
        if (first < 0 || count < 1 || first > total - count) {
            throw new IllegalArgumentException(
                    "%d samples from %d on are not a range of %d samples".formatted(count, first, total));
        }
    }

    /** Returns the index after the last sample. */
    public int end() {
        return first + count;
    }
}
