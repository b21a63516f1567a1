package org.fleetgrad.ps.run;

import java.util.Map;
import org.fleetgrad.optim.StalenessAwareOptimizer;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.ObservedState;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.ps.parameters.FrozenValues;
import org.fleetgrad.ps.persistence.TrainingState;
import org.fleetgrad.ps.settings.TrainingSettings;

/**
 * The parameters of a run and their optimizer. Optimizer, gradients and the history of a staleness rule have the trainable
 * values only.
 *
 * @param frozen     the values that no step changes
 * @param parameters the trainable values; the optimizer changes them in place
 * @param version    which version they are now
 * @param state      the positions of the network's state among the trainable values, which the optimizer does not change
 */
record LiveState(
        FrozenValues frozen,
        Map<String, String> metadata,
        float[] parameters,
        StalenessAwareOptimizer optimizer,
        ParameterVersion version,
        ObservedState state) {

    /**
     * Begins with a parameter set.
     *
     * @param values    all values, trainable and frozen; ownership passes to the state
     * @param optimizer of the trainable ones
     */
    static LiveState of(
            FrozenValues values,
            Map<String, String> metadata,
            StalenessAwareOptimizer optimizer,
            ParameterVersion version) {
        return new LiveState(
                values,
                metadata,
                values.places().of(values.all()),
                optimizer,
                version,
                ObservedState.of(values.places().layout(), ParameterState.in(metadata)));
    }

    /**
     * Restores the parameters and the optimizer of a persisted state.
     *
     * @throws IllegalArgumentException if the state is of another optimizer, or of other frozen tensors
     */
    static LiveState of(TrainingState saved, TrainingSettings settings) {
        FrozenValues values = new FrozenValues(
                settings.trainable(saved.layout(), saved.metadata()),
                saved.parameters().clone());
        StalenessAwareOptimizer restored = settings.newOptimizer(values.places().layout(), saved.metadata());
        restored.restore(saved.optimizer());
        return of(values, saved.metadata(), restored, saved.version());
    }

    /** Returns the layout of the complete set. */
    TensorLayout layout() {
        return frozen.places().whole();
    }

    /** Returns a copy of all values, trainable and frozen. */
    float[] all() {
        return frozen.with(parameters);
    }

    LiveState withVersion(ParameterVersion other) {
        return new LiveState(frozen, metadata, parameters, optimizer, other, state);
    }
}
