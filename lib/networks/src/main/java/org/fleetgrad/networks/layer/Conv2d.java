package org.fleetgrad.networks.layer;

import java.util.ArrayList;
import java.util.List;

/**
 * A convolution with square windows: tensors {@code weight} [out, in, kernel, kernel] and, with a bias, {@code bias} [out].
 *
 * @param in      channels in
 * @param out     channels out
 * @param kernel  side of the window
 * @param stride  step between windows
 * @param padding zeros on each side
 * @param isBiased whether it has a bias
 * @param start   initial values of weight and bias
 */
public record Conv2d(int in, int out, int kernel, int stride, int padding, boolean isBiased, Start start)
        implements Layer {

    public Conv2d {
        Shapes.requirePositive("a convolution", in, out, kernel, stride);
        if (padding < 0) {
            throw new IllegalArgumentException("a convolution has a padding of 0 or more; it is " + padding);
        }
    }

    /** The initial values of a convolution. */
    public enum Start {
        /** PyTorch's default: weight and bias uniform in ±1/sqrt(fan_in). */
        FAN_IN_UNIFORM,
        /** torchvision's ResNets and VGGs: the weight normal by fan_out, the bias 0. */
        FAN_OUT_NORMAL,
        /** The patches of torchvision's vision transformers: the weight normal by fan_in, the bias 0. */
        FAN_IN_NORMAL
    }

    /** PyTorch's {@code Conv2d(in, out, kernel, padding=padding)}, with its default initial values. */
    public static Conv2d standard(int in, int out, int kernel, int padding) {
        return new Conv2d(in, out, kernel, 1, padding, true, Start.FAN_IN_UNIFORM);
    }

    /** A convolution without bias before a BatchNorm, padded so that stride 1 keeps the size. */
    public static Conv2d unbiased(int in, int out, int kernel, int stride) {
        return new Conv2d(in, out, kernel, stride, kernel / 2, false, Start.FAN_OUT_NORMAL);
    }

    @Override
    public List<LayerTensor> tensors() {
        long window = (long) kernel * kernel;
        InitialValues uniform = InitialValues.fanInUniform(in * window);
        InitialValues weight = switch (start) {
            case FAN_IN_UNIFORM -> uniform;
            case FAN_OUT_NORMAL -> InitialValues.fanOutNormal(out * window);
            case FAN_IN_NORMAL -> new InitialValues.Normal(Math.sqrt(1.0 / (in * window)));
        };
        List<LayerTensor> tensors = new ArrayList<>();
        tensors.add(LayerTensor.trainable("weight", weight, out, in, kernel, kernel));
        if (isBiased) {
            tensors.add(
                    LayerTensor.trainable("bias", start == Start.FAN_IN_UNIFORM ? uniform : InitialValues.ZEROS, out));
        }
        return tensors;
    }

    @Override
    public List<Integer> output(List<Integer> input) {
        Shapes.requireChannels("a convolution", in, input);
        return List.of(
                out,
                Shapes.places("a convolution", input.get(1), kernel, stride, padding, input),
                Shapes.places("a convolution", input.get(2), kernel, stride, padding, input));
    }
}
