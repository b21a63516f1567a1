package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.Nullable;

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
