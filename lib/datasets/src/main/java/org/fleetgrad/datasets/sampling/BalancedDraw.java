package org.fleetgrad.datasets.sampling;

import java.util.stream.IntStream;

/**
 * Draws samples of a shard with replacement: first a class, each that the shard has equally often, and then a sample of it. That
 * is PyTorch's {@code WeightedRandomSampler} with the weight 1 / n_c for each of the n_c samples of a class. A draw depends on the
 * seed, the epoch and the place of the shard alone, so that a worker that takes over a shard draws what its predecessor drew.
 * Immutable and thread-safe.
 */
final class BalancedDraw {

    /** Samples, those of a class one after the other. */
    private final int[] byClass;

    /** Where in {@code byClass} each class that has samples begins; and the end. */
    private final int[] begins;

    /** Takes the class of each sample, from 0. */
    BalancedDraw(int[] labels) {
        int classes = IntStream.of(labels).max().orElse(-1) + 1;
        int[] ends = new int[classes + 1];
        for (int label : labels) {
            ends[label + 1]++;
        }
        for (int label = 0; label < classes; label++) {
            ends[label + 1] += ends[label];
        }
        // The classes that are not there begin where they end.
        begins = IntStream.of(ends).distinct().toArray();
        byClass = new int[labels.length];
        for (int i = 0; i < labels.length; i++) {
            byClass[ends[labels[i]]++] = i;
        }
    }

    /** Draws as many samples as there are. */
    int[] draw(SplitMix64 random) {
        int[] drawn = new int[byClass.length];
        for (int i = 0; i < drawn.length; i++) {
            int at = random.nextInt(begins.length - 1);
            drawn[i] = byClass[begins[at] + random.nextInt(begins[at + 1] - begins[at])];
        }
        return drawn;
    }
}
