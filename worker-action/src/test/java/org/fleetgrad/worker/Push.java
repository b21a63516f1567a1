package org.fleetgrad.worker;

import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;

/** A gradient as it reached the fake server. */
public record Push(GradientMetadata metadata, TensorSet tensors) {

    /** Returns the gradient's values in the order of {@code layout}. */
    public float[] gradient(TensorLayout layout) {
        return tensors.toFloats(layout);
    }
}
