package org.fleetgrad.pipeline.run;

/**
 * Where the samples of a micro-batch are.
 *
 * @param epoch from 0
 * @param shard index of the shard, from 0
 * @param from  place of the first sample in the shard's order of this epoch
 * @param count number of samples, 1 or more
 */
public record BatchPlace(long epoch, int shard, int from, int count) {}
