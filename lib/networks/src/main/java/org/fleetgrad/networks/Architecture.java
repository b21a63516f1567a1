package org.fleetgrad.networks;

import ai.djl.ndarray.NDArray;
import java.util.Map;

/** A network as a function of named parameters: all that libtorch's autograd needs to know. */
non-sealed interface Architecture extends NetworkDefinition {

    /**
     * Computes logits.
     *
     * @param parameters by the names of the spec's layout
     * @param images     float32 [n, channels, height, width]
     * @return float32 [n, classes]
     */
    NDArray forward(Map<String, NDArray> parameters, NDArray images);
}
