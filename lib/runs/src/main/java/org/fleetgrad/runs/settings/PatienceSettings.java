package org.fleetgrad.runs.settings;

/**
 * How long a run goes on without a better held-out score.
 *
 * @param epochs   passes over the dataset, above 0; parts of one count
 * @param minDelta a score that is better by no more than this is none; 0 or more, in the figure that counts: a share of right
 *     answers, or a loss
 */
public record PatienceSettings(double epochs, double minDelta) {

    /** Checks the ranges. */
    public PatienceSettings {
        if (!(epochs > 0 && Double.isFinite(epochs))) {
            throw new IllegalArgumentException("the patience must be above 0 epochs; it is " + epochs);
        }
        if (!(minDelta >= 0 && Double.isFinite(minDelta))) {
            throw new IllegalArgumentException("the smallest improvement must be 0 or more; it is " + minDelta);
        }
    }
}
