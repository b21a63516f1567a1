package org.fleetgrad.mlflow;

import java.time.Instant;
import java.util.Map;

/**
 * What MLflow knows of a run from its beginning.
 *
 * @param experiment name of the experiment; made if it does not exist
 * @param name       of the run, for a person
 * @param begin      of the run
 * @param tags       more about it
 */
public record RunDescription(String experiment, String name, Instant begin, Map<String, String> tags) {

    public RunDescription {
        tags = Map.copyOf(tags);
    }
}
