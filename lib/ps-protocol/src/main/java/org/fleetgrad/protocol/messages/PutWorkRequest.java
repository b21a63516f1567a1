package org.fleetgrad.protocol.messages;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * States the work of the run: every shard once an epoch.
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
     * @param name    what it is called; unique among the shards
     * @param url     where a worker fetches it
     * @param samples how many training samples it has
     */
    public record Shard(
            @Nullable String name,
            @Nullable String url,
            @Nullable Long samples) {}
}
