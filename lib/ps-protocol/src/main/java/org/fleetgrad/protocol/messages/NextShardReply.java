package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.Nullable;

/**
 * Assigns work. A worker has one shard at a time: if it requests another before the shard is done, it gets the same
 * shard, from the position that its gradients have reached.
 *
 * @param code    200
 * @param state   {@code shard}; {@code wait} if other workers have all remaining shards, and one of them may return its
 *     shard; {@code done} if every epoch is done
 * @param epoch   pass over the dataset, from 0
 * @param shard   index of the shard
 * @param sample  samples of the shard that are done in this epoch: the worker begins after them
 * @param samples samples of the shard
 * @param name    name of the shard
 * @param url     address to fetch it from
 */
public record NextShardReply(
        int code,
        String state,
        @Nullable Long epoch,
        @Nullable Integer shard,
        @Nullable Long sample,
        @Nullable Long samples,
        @Nullable String name,
        @Nullable String url) {

    /** The response has a shard. */
    public static final String SHARD = "shard";

    /** Other workers have all remaining shards. */
    public static final String WAIT = "wait";

    /** All work is done. */
    public static final String DONE = "done";

    /** Leaves the address out: the query of a presigned one is a secret. */
    @Override
    public String toString() {
        return "NextShardReply[state=%s, epoch=%s, shard=%s, sample=%s, samples=%s, name=%s]"
                .formatted(state, epoch, shard, sample, samples, name);
    }
}
