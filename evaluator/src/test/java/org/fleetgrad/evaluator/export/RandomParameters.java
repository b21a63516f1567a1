package org.fleetgrad.evaluator.export;

import java.util.SplittableRandom;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.protocol.tensor.TensorSpec;

/** Parameters as initialized, but no value stays 0 or 1: neither a head, nor a bias, nor a running statistic. */
final class RandomParameters {

    private RandomParameters() {}

    static float[] of(NetworkDefinition definition) {
        float[] values = definition.initialParameters(7);
        SplittableRandom random = new SplittableRandom(1);
        int at = 0;
        for (TensorSpec tensor : definition.spec().layout().specs()) {
            boolean isVariance = tensor.name().endsWith("running_var");
            for (int i = 0; i < tensor.elementCount(); i++, at++) {
                values[at] += (float) (isVariance ? random.nextDouble() / 2 : (random.nextDouble() - 0.5) / 50);
            }
        }
        return values;
    }
}
