package org.fleetgrad.worker.training;

import org.fleetgrad.datasets.augment.Augmentation;
import org.fleetgrad.datasets.sampling.Sampling;
import org.fleetgrad.datasets.sampling.SplitMix64;
import org.fleetgrad.networks.ClassWeights;

/**
 * How a worker computes a gradient.
 *
 * @param batchSize      samples of a batch
 * @param updateInterval batches whose mean gradient is pushed
 * @param clipNorm       largest norm of a pushed gradient; 0 for any
 * @param labelSmoothing share of the target that is spread over all classes equally, from 0 to below 1
 * @param classWeights   factors of the samples' losses by their classes
 * @param sampling       which samples of a shard an epoch has
 * @param augmentation   how the images are changed at random
 * @param seed           of the initial parameters, the order of the samples, and dropout
 */
public record Learning(
        int batchSize,
        int updateInterval,
        double clipNorm,
        double labelSmoothing,
        ClassWeights classWeights,
        Sampling sampling,
        Augmentation augmentation,
        long seed) {

    /**
     * Returns the seed of a batch's dropout masks. It depends on the samples and not on the worker, so every worker that
     * computes them draws the same masks.
     *
     * @param epoch of the run
     * @param place of the batch's first sample: in the split, where its shard begins, plus its place in the shard's order
     */
    long dropoutSeed(long epoch, long place) {
        return SplitMix64.of(SplitMix64.of(seed, epoch).nextLong(), place).nextLong();
    }
}
