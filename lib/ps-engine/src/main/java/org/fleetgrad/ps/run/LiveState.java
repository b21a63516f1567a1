package org.fleetgrad.ps.run;

import java.util.Map;
import org.fleetgrad.optim.StalenessAwareOptimizer;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.ObservedState;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.ps.persistence.TrainingState;
import org.fleetgrad.ps.settings.TrainingSettings;

/**
 * The parameters of a run and their optimizer.
 *
 * @param parameters the optimizer changes them in place
 * @param version    which version they are now
 * @param state      the positions of the network's state, which the optimizer does not change
 */
record LiveState(
        TensorLayout layout,
        Map<String, String> metadata,
        float[] parameters,
        StalenessAwareOptimizer optimizer,
        ParameterVersion version,
        ObservedState state) {

    /** Finds the state in the metadata. */
    LiveState(
            TensorLayout layout,
            Map<String, String> metadata,
            float[] parameters,
            StalenessAwareOptimizer optimizer,
            ParameterVersion version) {
        this(layout, metadata, parameters, optimizer, version, ObservedState.of(layout, ParameterState.in(metadata)));
    }

    /** Restores the parameters and the optimizer of a persisted state. */
    static LiveState of(TrainingState saved, TrainingSettings settings) {
        return new LiveState(
                saved.layout(),
                saved.metadata(),
                saved.parameters().clone(),
                optimizer(saved, settings),
                saved.version());
    }

    /** Restores the optimizer of a persisted state. */
    static StalenessAwareOptimizer optimizer(TrainingState saved, TrainingSettings settings) {
        StalenessAwareOptimizer restored = settings.newOptimizer(saved.layout(), saved.metadata());
        restored.restore(saved.optimizer());
        return restored;
    }

    LiveState withVersion(ParameterVersion other) {
        return new LiveState(layout, metadata, parameters, optimizer, other, state);
    }
}
