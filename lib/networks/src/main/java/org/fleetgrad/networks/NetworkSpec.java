package org.fleetgrad.networks;

import java.util.List;
import org.fleetgrad.protocol.tensor.TensorLayout;

/**
 * The inputs, outputs and parameters of a network.
 *
 * @param name       such as {@code lenet5}
 * @param inputShape one image: [channels, height, width]
 * @param classes    number of logits
 * @param layout     its parameters: float32, PyTorch's {@code state_dict} names, sorted by name
 */
public record NetworkSpec(String name, List<Integer> inputShape, int classes, TensorLayout layout) {

    public NetworkSpec {
        inputShape = List.copyOf(inputShape);
    }

    /** Returns the number of values of one image. */
    public int inputSize() {
        return inputShape.stream().reduce(1, Math::multiplyExact);
    }
}
