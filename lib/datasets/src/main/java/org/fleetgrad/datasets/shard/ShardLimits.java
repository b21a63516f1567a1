package org.fleetgrad.datasets.shard;

/**
 * What a reader of shards accepts, in bytes after decompression. Reading takes up to about three times the data in
 * memory at its peak.
 *
 * @param descriptionBytes longest {@code dataset.json}
 * @param dataBytes        longest {@code data.safetensors}
 * @param totalBytes       longest archive: entries, headers and padding
 */
public record ShardLimits(long descriptionBytes, long dataBytes, long totalBytes) {

    /** Descriptions to 1 MiB, data to 512 MiB: more than CIFAR-10 or MNIST in one piece. */
    public static final ShardLimits DEFAULT = ofData(512L << 20);

    private static final long MAX_ARRAY_BYTES = Integer.MAX_VALUE - 8;

    /** Checks that the limits are positive, and that an entry fits an array. */
    public ShardLimits {
        if (descriptionBytes <= 0 || dataBytes <= 0 || totalBytes <= 0) {
            throw new IllegalArgumentException("limits must be positive: description %d, data %d, total %d"
                    .formatted(descriptionBytes, dataBytes, totalBytes));
        }
        if (Math.max(descriptionBytes, dataBytes) > MAX_ARRAY_BYTES) {
            throw new IllegalArgumentException(
                    "an entry is read into one array of up to %d bytes: description %d, data %d"
                            .formatted(MAX_ARRAY_BYTES, descriptionBytes, dataBytes));
        }
    }

    /** Limits the data, and the rest to 1 MiB each for the description and for what tar adds. */
    public static ShardLimits ofData(long dataBytes) {
        long mebibyte = 1 << 20;
        return new ShardLimits(mebibyte, dataBytes, dataBytes + 2 * mebibyte);
    }
}
