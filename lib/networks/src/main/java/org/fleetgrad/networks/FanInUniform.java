package org.fleetgrad.networks;

import java.util.SplittableRandom;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * PyTorch's default for convolutions and linear layers: weight and bias uniform in ±1/sqrt(fan_in), where fan_in is the
 * number of inputs that one output of the layer reads (kaiming_uniform with a = sqrt(5), K. He et al. 2015).
 */
final class FanInUniform {

    private FanInUniform() {}

    /** Draws the tensors of each layer {@code x}, {@code x.weight} and {@code x.bias}, each from its own generator. */
    static float[] draw(TensorLayout layout, long seed) {
        float[] values = new float[Math.toIntExact(layout.elementCount())];
        int at = 0;
        for (TensorSpec spec : layout.specs()) {
            // The name of the tensor is part of the seed: adding or removing a tensor does not change the bits of
            // others.
            SplittableRandom random = new SplittableRandom(
                    seed * 0x9E3779B97F4A7C15L + spec.name().hashCode());
            double bound = 1 / Math.sqrt((double) fanIn(layout, spec));
            int end = at + Math.toIntExact(spec.elementCount());
            while (at < end) {
                values[at++] = (float) ((2 * random.nextDouble() - 1) * bound);
            }
        }
        return values;
    }

    private static long fanIn(TensorLayout layout, TensorSpec spec) {
        String layer = spec.name().substring(0, spec.name().lastIndexOf('.') + 1);
        TensorSpec weight = layout.indexOf(layer + "weight")
                .map(layout.specs()::get)
                .filter(found -> found.shape().size() > 1)
                .orElseThrow(() -> new IllegalStateException(
                        "tensor '%s' has no layer whose weight has two or more dimensions".formatted(spec.name())));
        return weight.elementCount() / weight.shape().get(0);
    }
}
