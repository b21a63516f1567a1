package org.fleetgrad.networks.layer;

import java.util.List;

/**
 * A convolution along the length of a series, without bias, as before a batch normalization: tensor {@code weight} [out, in, kernel],
 * with PyTorch's default initial values. Zeros on both sides keep the length.
 *
 * @param in     channels in
 * @param out    channels out
 * @param kernel places of the window, an odd number
 */
public record Conv1d(int in, int out, int kernel) implements Layer {

    /**
     * Checks the window.
     *
     * @throws IllegalArgumentException if it has no place in the middle
     */
    public Conv1d {
        Shapes.requirePositive("a convolution of series", in, out);
        if (kernel < 1 || kernel % 2 == 0) {
            throw new IllegalArgumentException(
                    "a convolution of series must have a window of 1, 3, 5 ... places; it has " + kernel);
        }
    }

    /** Returns the zeros on each side. */
    public int padding() {
        return kernel / 2;
    }

    @Override
    public List<LayerTensor> tensors() {
        return List.of(
                LayerTensor.trainable("weight", InitialValues.fanInUniform((long) in * kernel), out, in, kernel));
    }

    @Override
    public List<Integer> output(List<Integer> input) {
        Shapes.requireSeries("a convolution of series", in, input);
        return List.of(out, input.get(1));
    }
}
