package org.fleetgrad.protocol.messages;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages about the work: all shards of the dataset, once per epoch. The {@code code} of a reply is its HTTP
 * status.
 */
public final class WorkMessages {

    private WorkMessages() {}

    /**
     * Sets the work of the run: every shard once per epoch.
     *
     * @param dataset name of the dataset
     * @param epochs  passes over it; 0, and absent, for no end
     * @param shards  its shards
     * @param paused  whether workers get no further shards; null for no
     */
    public record PutWorkRequest(
            @Nullable String dataset,
            @Nullable Long epochs,
            @Nullable List<Shard> shards,
            @Nullable Boolean paused) {

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

    /**
     * Confirms the work of the run.
     *
     * @param created whether the work began with this request; if not, the work continues with the new addresses of its
     *     shards and the new number of epochs
     * @param shards  shards of an epoch
     * @param samples samples of an epoch
     */
    public record PutWorkReply(int code, boolean created, int shards, long samples) {}

    /**
     * Adds a shard to the work, which is trained on once.
     *
     * @param number  larger than that of every shard that was added before, from 0 to {@link #MAX_NUMBER}; one that is not was added
     *     before
     * @param after   largest number that was added before, as the sender knows; -1 or {@code null} for none. If the server does not know
     *     it any more, nothing is added: whatever is missing comes first
     * @param name    its name in messages
     * @param url     address from which workers fetch it
     * @param samples number of its training samples
     */
    public record AddWorkRequest(
            @Nullable Long number,
            @Nullable Long after,
            @Nullable String name,
            @Nullable String url,
            @Nullable Long samples) {

        /** Largest number of an added shard. */
        public static final long MAX_NUMBER = 1_000_000_000;

        /** Most added shards that a server remembers, in memory and in each checkpoint. */
        public static final int MOST_REMEMBERED = 256;
    }

    /**
     * Confirms that a shard is part of the work.
     *
     * @param created whether it was added with this request; if not, it was added before
     */
    public record AddWorkReply(int code, boolean created) {}

    /**
     * Requests work.
     *
     * @param worker the registered worker
     */
    public record NextShardRequest(@Nullable String worker) {}

    /**
     * Assigns work. A worker has one shard at a time: if it requests another before the shard is done, it gets the same
     * shard, from the position that its gradients have reached.
     *
     * @param state   {@code shard}; {@code wait} if other workers have all remaining shards, and one of them may return
     *     its shard; {@code done} if every epoch is done
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

    /**
     * Returns a shard, done or not.
     *
     * @param worker the worker that has it
     * @param epoch  of which pass
     * @param shard  its index
     */
    public record CompleteShardRequest(
            @Nullable String worker,
            @Nullable Long epoch,
            @Nullable Integer shard) {}

    /**
     * Confirms that a worker no longer has a shard.
     *
     * @param complete whether all of the shard is done
     * @param sample   samples of the shard that are done in this epoch; another worker continues after them
     */
    public record CompleteShardReply(int code, boolean complete, long sample) {}
}
