package org.fleetgrad.ps.parameters;

import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TrainableValues;

/** A parameter set in which nothing is frozen. */
final class Unfrozen {

    private Unfrozen() {}

    static FrozenValues set(TensorLayout layout) {
        return new FrozenValues(TrainableValues.of(layout, FrozenTensors.NONE), new float[0]);
    }
}
