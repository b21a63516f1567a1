package org.fleetgrad.protocol.messages;

/**
 * Confirms that a worker no longer has a shard.
 *
 * @param code     200
 * @param complete whether all of it is done
 * @param sample   samples of it that are done in this epoch; another worker goes on behind them
 */
public record CompleteShardReply(int code, boolean complete, long sample) {}
