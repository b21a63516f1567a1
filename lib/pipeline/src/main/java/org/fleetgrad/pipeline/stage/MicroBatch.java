package org.fleetgrad.pipeline.stage;

/**
 * What every stage knows about one micro-batch without receiving it over a channel.
 *
 * @param index  its index in the run, from 0
 * @param seed   of everything random in it, such as dropout: the same seed gives the same bits, however often and with
 *     whatever weights the micro-batch is computed
 * @param targets the class or the number of each prediction; empty on every stage but the last, which alone needs them. The array is not
 *     copied
 */
public record MicroBatch(long index, long seed, float[] targets) {}
