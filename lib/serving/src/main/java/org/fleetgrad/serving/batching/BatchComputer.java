package org.fleetgrad.serving.batching;

import java.util.List;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.PredictionOutcome;
import org.fleetgrad.serving.policy.WantedVersion;

/** Computes requests together; {@code LiveModel} is one. */
@FunctionalInterface
public interface BatchComputer {

    /**
     * Computes all requests with one version.
     *
     * @return one outcome for each, in order
     */
    List<PredictionOutcome> predict(WantedVersion wanted, List<Images> requests);
}
