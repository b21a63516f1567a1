package org.fleetgrad.runs.settings;

import org.fleetgrad.datasets.imbalance.ClassWeighting;
import org.fleetgrad.datasets.sampling.Sampling;
import org.fleetgrad.networks.ClassWeights;

/**
 * What a run does about classes that are rare.
 *
 * @param weighting how much the classes count in the loss
 * @param sampling  which samples of a shard an epoch has
 */
public record ImbalanceSettings(ClassWeighting weighting, Sampling sampling) {

    /** Nothing. */
    public static final ImbalanceSettings NONE = new ImbalanceSettings(new ClassWeighting.Equal(), Sampling.SHUFFLED);

    /**
     * Returns the weights of the classes.
     *
     * @throws IllegalStateException if they depend on a dataset that is not read yet
     */
    public ClassWeights classWeights() {
        if (weighting instanceof ClassWeighting.Fixed fixed) {
            return fixed.weights();
        }
        if (weighting instanceof ClassWeighting.Equal) {
            return ClassWeights.EQUAL;
        }
        throw new IllegalStateException("the dataset decides the weights of the classes: " + weighting);
    }

    /** Returns the same settings with the weights that a dataset decided. */
    public ImbalanceSettings with(ClassWeights weights) {
        return new ImbalanceSettings(new ClassWeighting.Fixed(weights), sampling);
    }
}
