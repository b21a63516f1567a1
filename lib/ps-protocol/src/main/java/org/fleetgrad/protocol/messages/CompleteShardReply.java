package org.fleetgrad.protocol.messages;

/**
 * Confirms that a worker no longer has a shard.
 *
 * @param code     200
 * @param complete whether all of the shard is done
 * @param sample   samples of the shard that are done in this epoch; another worker continues after them
 */
public record CompleteShardReply(int code, boolean complete, long sample) {}
