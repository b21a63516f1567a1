package org.fleetgrad.pipeline.cure;

import java.util.Objects;
import org.fleetgrad.optim.WeightPrediction.Method;

/**
 * A stage runs the forward pass on weights predicted for the step at which the gradient will be applied.
 *
 * @param method        what the prediction takes into account
 * @param nesterov      whether a stage without staleness looks ahead one step, as Nesterov's momentum does; the last stage
 *     of SGD then has Nesterov's momentum itself and predicts nothing (FTPipe's {@code nag_with_predictor} and
 *     {@code nesterov_set_for_last_partition})
 * @param scheduleAware whether future steps use their scheduled learning rates, and not the current one
 */
public record StagePrediction(Method method, boolean nesterov, boolean scheduleAware) {

    public StagePrediction {
        Objects.requireNonNull(method, "method");
    }

    /** Returns a prediction with this method alone. */
    public static StagePrediction of(Method method) {
        return new StagePrediction(method, false, false);
    }
}
