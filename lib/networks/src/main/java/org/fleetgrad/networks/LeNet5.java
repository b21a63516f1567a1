package org.fleetgrad.networks;

import static org.fleetgrad.protocol.tensor.TensorSpec.f32;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.convolutional.Conv2d;
import ai.djl.nn.core.Linear;
import ai.djl.nn.pooling.Pool;
import java.util.List;
import java.util.Map;
import org.fleetgrad.protocol.tensor.TensorLayout;

/**
 * LeNet-5 in its usual modern form, 61,706 parameters: conv1 1→6 5×5 pad 2, ReLU, max-pool 2; conv2 6→16 5×5, ReLU,
 * max-pool 2; fc1 400→120, ReLU; fc2 120→84, ReLU; fc3 84→10. After Y. LeCun et al., "Gradient-Based Learning Applied to
 * Document Recognition", 1998.
 */
final class LeNet5 implements Architecture {

    private static final Shape PADDING = new Shape(2, 2);
    private static final Shape NO_PADDING = new Shape(0, 0);
    private static final Shape STRIDE = new Shape(1, 1);
    private static final Shape POOL = new Shape(2, 2);

    private static final NetworkSpec SPEC = new NetworkSpec(
            "lenet5",
            List.of(1, 28, 28),
            10,
            TensorLayout.canonical(List.of(
                    f32("conv1.weight", 6, 1, 5, 5),
                    f32("conv1.bias", 6),
                    f32("conv2.weight", 16, 6, 5, 5),
                    f32("conv2.bias", 16),
                    f32("fc1.weight", 120, 400),
                    f32("fc1.bias", 120),
                    f32("fc2.weight", 84, 120),
                    f32("fc2.bias", 84),
                    f32("fc3.weight", 10, 84),
                    f32("fc3.bias", 10))));

    @Override
    public NetworkSpec spec() {
        return SPEC;
    }

    @Override
    public float[] initialParameters(long seed) {
        return FanInUniform.draw(SPEC.layout(), seed);
    }

    @Override
    public NDArray forward(Map<String, NDArray> parameters, NDArray images) {
        Layers layers = new Layers(parameters);
        NDArray x = layers.conv("conv1", images, PADDING);
        x = pool(x);
        x = layers.conv("conv2", x, NO_PADDING);
        x = pool(x);
        x = x.reshape(x.getShape().get(0), -1);
        x = layers.linear("fc1", x).getNDArrayInternal().relu();
        x = layers.linear("fc2", x).getNDArrayInternal().relu();
        return layers.linear("fc3", x);
    }

    private static NDArray pool(NDArray x) {
        return Pool.maxPool2d(x.getNDArrayInternal().relu(), POOL, POOL, NO_PADDING, false);
    }

    /** The layers, found by the prefix of their parameters' names. */
    private record Layers(Map<String, NDArray> parameters) {

        NDArray conv(String name, NDArray x, Shape padding) {
            return Conv2d.conv2d(x, parameter(name, "weight"), parameter(name, "bias"), STRIDE, padding)
                    .singletonOrThrow();
        }

        NDArray linear(String name, NDArray x) {
            return Linear.linear(x, parameter(name, "weight"), parameter(name, "bias"))
                    .singletonOrThrow();
        }

        private NDArray parameter(String layer, String kind) {
            NDArray parameter = parameters.get(layer + "." + kind);
            if (parameter == null) {
                throw new IllegalStateException(
                        "no parameter %s.%s among %s".formatted(layer, kind, parameters.keySet()));
            }
            return parameter;
        }
    }
}
