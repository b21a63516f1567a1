package org.fleetgrad.datasets.shard;

import org.fleetgrad.datasets.text.JsonTokenizer;

/**
 * The limits for reading shards, in bytes after decompression. Reading takes up to about three times the size of the
 * data in memory.
 *
 * @param descriptionBytes largest {@code dataset.json}
 * @param dataBytes        largest {@code data.safetensors}
 * @param totalBytes       largest archive: entries, headers and padding
 */
public record ShardLimits(long descriptionBytes, long dataBytes, long totalBytes) {

    private static final long MAX_ARRAY_BYTES = Integer.MAX_VALUE - 8;

    /** Fits the names of the largest number of classes, each character escaped, and the other JSON. */
    private static final long DESCRIPTION_BYTES = 4L << 20;

    private static final long TAR_BYTES = 1L << 20;

    /** 4 MiB for the description, 512 MiB for the data: more than CIFAR-10 or MNIST in one piece. */
    public static final ShardLimits DEFAULT = ofData(512L << 20);

    /** Checks that the limits are positive, and that an entry fits in an array. */
    public ShardLimits {
        if (descriptionBytes <= 0 || dataBytes <= 0 || totalBytes <= 0) {
            throw new IllegalArgumentException("limits must be positive: description %d, data %d, total %d"
                    .formatted(descriptionBytes, dataBytes, totalBytes));
        }
        if (Math.max(descriptionBytes, dataBytes) > MAX_ARRAY_BYTES) {
            throw new IllegalArgumentException(
                    "an entry is read into one array of at most %d bytes: description %d, data %d"
                            .formatted(MAX_ARRAY_BYTES, descriptionBytes, dataBytes));
        }
    }

    /**
     * Makes limits with {@code dataBytes} for the data, 4 MiB for the description, 48 MiB for a tokenizer, and 1 MiB for the bytes
     * that tar adds.
     */
    public static ShardLimits ofData(long dataBytes) {
        return new ShardLimits(
                DESCRIPTION_BYTES, dataBytes, dataBytes + DESCRIPTION_BYTES + JsonTokenizer.MOST_BYTES + TAR_BYTES);
    }
}
