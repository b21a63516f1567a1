package org.fleetgrad.networks.layer;

import java.util.List;

/**
 * A linear layer: tensors {@code weight} [out, in] and {@code bias} [out].
 *
 * @param in     features in
 * @param out    features out
 * @param weight initial values of the weight
 * @param bias   initial values of the bias
 */
public record Linear(int in, int out, InitialValues weight, InitialValues bias) implements Layer {

    /** PyTorch's {@code Linear(in, out)}, with its default initial values. */
    public static Linear standard(int in, int out) {
        return new Linear(in, out, InitialValues.fanInUniform(in), InitialValues.fanInUniform(in));
    }

    @Override
    public List<LayerTensor> tensors() {
        return List.of(LayerTensor.trainable("weight", weight, out, in), LayerTensor.trainable("bias", bias, out));
    }

    @Override
    public List<Integer> output(List<Integer> input) {
        if (!input.equals(List.of(in))) {
            throw new IllegalArgumentException("a linear layer takes [%d]; it gets %s".formatted(in, input));
        }
        return List.of(out);
    }
}
