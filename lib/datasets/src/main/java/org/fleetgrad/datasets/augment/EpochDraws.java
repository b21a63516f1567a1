package org.fleetgrad.datasets.augment;

/**
 * What an epoch draws for its samples: how images are changed, and where the windows of a text begin. It depends on the seed, the
 * epoch and the sample's place in the split alone, so that it does not matter which worker trains on a sample.
 *
 * @param augmentation how images are changed at random
 * @param seed         of the run
 * @param epoch        its number, from 0
 */
public record EpochDraws(Augmentation augmentation, long seed, long epoch) {}
