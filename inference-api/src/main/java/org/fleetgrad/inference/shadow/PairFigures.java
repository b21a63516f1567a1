package org.fleetgrad.inference.shadow;

import java.util.Optional;
import org.fleetgrad.protocol.ParameterVersion;

/**
 * How far two versions disagree about the same samples.
 *
 * @param served     version that answered
 * @param shadow     newest version, which computed the same unseen
 * @param samples    that both computed
 * @param differing  of them, those that were predicted otherwise
 * @param difference mean absolute difference of predicted numbers, in the units of the target; empty for others
 */
public record PairFigures(
        ParameterVersion served, ParameterVersion shadow, long samples, long differing, Optional<Double> difference) {

    /** Returns the share of samples that were predicted otherwise. */
    public double disagreement() {
        return (double) differing / (double) samples;
    }
}
