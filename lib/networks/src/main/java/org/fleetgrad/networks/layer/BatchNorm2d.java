package org.fleetgrad.networks.layer;

import java.util.List;

/**
 * Batch normalization of channels (S. Ioffe, C. Szegedy 2015), with PyTorch's epsilon 1e-5: tensors {@code weight} and {@code
 * bias}, and the state {@code running_mean} and {@code running_var}, all [channels]. PyTorch's {@code num_batches_tracked} is
 * left out, because nothing reads it.
 *
 * @param channels channels in and out
 */
public record BatchNorm2d(int channels) implements Layer {

    /** Added to the variance. */
    public static final double EPSILON = 1e-5;

    /** The share of one batch in the running statistics. */
    public static final float MOMENTUM = 0.1f;

    public BatchNorm2d {
        Shapes.requirePositive("a batch normalization", channels);
    }

    @Override
    public List<LayerTensor> tensors() {
        return List.of(
                LayerTensor.trainable("weight", InitialValues.ONES, channels),
                LayerTensor.trainable("bias", InitialValues.ZEROS, channels),
                LayerTensor.state("running_mean", InitialValues.ZEROS, MOMENTUM, channels),
                LayerTensor.state("running_var", InitialValues.ONES, MOMENTUM, channels));
    }

    @Override
    public List<Integer> output(List<Integer> input) {
        Shapes.requireChannels("a batch normalization", channels, input);
        return input;
    }
}
