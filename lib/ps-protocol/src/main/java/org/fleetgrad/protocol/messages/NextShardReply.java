package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.Nullable;

/**
 * Hands out work. A worker has one shard at a time: who asks again before it is done is answered the same, from where its
 * gradients have come to.
 *
 * @param code    200
 * @param state   {@code shard}; {@code wait} where others have all that is left, and one of them may give its shard back;
 *     {@code done} where every epoch is
 * @param epoch   pass over the dataset, from 0
 * @param shard   index of the shard
 * @param sample  samples of it that are done in this epoch: the worker begins behind them
 * @param samples samples of the shard
 * @param name    what the shard is called
 * @param url     where it is fetched
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

    /** There is a shard in the answer. */
    public static final String SHARD = "shard";

    /** Others have all that is left. */
    public static final String WAIT = "wait";

    /** Nothing is left. */
    public static final String DONE = "done";

    /** Leaves the address out: the query of a presigned one is a secret. */
    @Override
    public String toString() {
        return "NextShardReply[state=%s, epoch=%s, shard=%s, sample=%s, samples=%s, name=%s]"
                .formatted(state, epoch, shard, sample, samples, name);
    }
}
