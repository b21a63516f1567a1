package org.fleetgrad.runs.settings;

import java.util.Optional;

/**
 * Where a run serves predictions while it trains.
 *
 * @param replicas  inference APIs, which share one address
 * @param onWorkers how workers serve the network that they train; absent if they do not
 * @param every     with {@code onWorkers} {@code thread}: steps after which a worker renews its copy
 */
public record ServingSettings(int replicas, Optional<String> onWorkers, int every) {

    /** One inference API; workers do not serve. */
    public static final ServingSettings DEFAULT = new ServingSettings(1, Optional.empty(), 1);
}
