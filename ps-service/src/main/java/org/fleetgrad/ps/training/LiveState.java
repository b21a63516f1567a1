package org.fleetgrad.ps.training;

import java.util.Map;
import org.fleetgrad.optim.StalenessAwareOptimizer;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorLayout;

/**
 * What exists once there are parameters.
 *
 * @param parameters what the optimizer moves, in place
 * @param version    what they are now
 */
record LiveState(
        TensorLayout layout,
        Map<String, String> metadata,
        float[] parameters,
        StalenessAwareOptimizer optimizer,
        ParameterVersion version) {

    LiveState at(ParameterVersion other) {
        return new LiveState(layout, metadata, parameters, optimizer, other);
    }
}
