package org.fleetgrad.protocol.messages;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sets the work of the run: every shard once per epoch.
 *
 * @param dataset name of the dataset
 * @param epochs  passes over it; 0, and absent, for no end
 * @param shards  its shards
 */
public record PutWorkRequest(
        @Nullable String dataset,
        @Nullable Long epochs,
        @Nullable List<Shard> shards) {

    /**
     * One shard.
     *
     * @param name    its name; unique among the shards
     * @param url     address from which workers fetch it
     * @param samples number of its training samples
     */
    public record Shard(
            @Nullable String name,
            @Nullable String url,
            @Nullable Long samples) {}
}
