package org.fleetgrad.runs.settings;

import java.util.Optional;

/**
 * Where a run serves predictions while it trains, and what evaluations may take from it.
 *
 * @param replicas        inference APIs, which share one address
 * @param onWorkers       how workers serve the network that they train; absent if they do not
 * @param every           with {@code onWorkers} {@code thread}: steps after which a worker renews its copy
 * @param evaluationShare share of one processor that evaluations may take while workers train
 * @param isLearning      whether answered images that get their true label later become samples of the training
 */
public record ServingSettings(
        int replicas, Optional<String> onWorkers, int every, double evaluationShare, boolean isLearning) {

    private static final double EVALUATION_SHARE = 0.05;

    /** One inference API; workers do not serve. */
    public static final ServingSettings DEFAULT = new ServingSettings(1, Optional.empty(), 1, EVALUATION_SHARE, false);
}
