package org.fleetgrad.networks.layer;

import java.util.List;

/**
 * A layer of a network, or several together: its tensors and its output shape. The code that computes it is elsewhere.
 *
 * <p>Layers are immutable. The names of their tensors are PyTorch's, relative to the layer.
 */
public sealed interface Layer
        permits AdaptiveAvgPool2d,
                BatchNorm2d,
                Conv2d,
                Dropout,
                Dropout2d,
                Flatten,
                Linear,
                MaxPool2d,
                ReLU,
                Residual,
                Sequential,
                ZeroPaddedShortcut {

    /** Returns the layer's tensors, in PyTorch's order; none by default. */
    default List<LayerTensor> tensors() {
        return List.of();
    }

    /**
     * Returns the shape of a sample after the layer; the input's by default.
     *
     * @param input such as [channels, height, width], or [features]
     * @throws IllegalArgumentException if the layer cannot take it; the message has the numbers
     */
    default List<Integer> output(List<Integer> input) {
        return input;
    }
}
