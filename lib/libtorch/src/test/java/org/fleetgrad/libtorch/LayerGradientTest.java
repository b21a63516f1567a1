package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.layer.BatchNorm2d;
import org.fleetgrad.networks.layer.Conv2d;
import org.fleetgrad.networks.layer.Layer;
import org.fleetgrad.networks.layer.Layer.AdaptiveAvgPool2d;
import org.fleetgrad.networks.layer.Layer.Dropout;
import org.fleetgrad.networks.layer.Layer.Dropout2d;
import org.fleetgrad.networks.layer.Layer.Flatten;
import org.fleetgrad.networks.layer.Layer.MaxPool2d;
import org.fleetgrad.networks.layer.Layer.ReLU;
import org.fleetgrad.networks.layer.Linear;
import org.fleetgrad.networks.layer.Residual;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.networks.layer.Sequential.Part;
import org.fleetgrad.networks.layer.ZeroPaddedShortcut;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the gradient through each kind of layer with finite differences of the training loss. */
@Tag("kernels")
class LayerGradientTest {

    private static final int COUNT = 6;
    private static final long DROPOUT = 4;
    private static final float SMOOTHING = 0.1f;

    /** The loss is about 2 in float32, so a larger step loses fewer digits; and these networks have few kinks. */
    private static final float STEP = 4e-3f;

    static Stream<Arguments> layers() {
        return Stream.of(
                Arguments.of("convolution", Sequential.IDENTITY),
                Arguments.of("strided convolution", new Conv2d(4, 4, 3, 2, 1, true, Conv2d.Start.FAN_OUT_NORMAL)),
                Arguments.of("batch normalization", new BatchNorm2d(4)),
                Arguments.of("relu", new ReLU()),
                Arguments.of("max-pooling", new MaxPool2d(3, 2, 1)),
                Arguments.of("average-pooling", new AdaptiveAvgPool2d(3)),
                Arguments.of("dropout of channels", new Dropout2d(0.5f)),
                Arguments.of("dropout", new Dropout(0.5f)),
                Arguments.of(
                        "residual",
                        new Residual(
                                Sequential.of("conv1", Conv2d.unbiased(4, 4, 3, 1))
                                        .then("bn1", new BatchNorm2d(4)),
                                Residual.IDENTITY)),
                Arguments.of(
                        "projected residual",
                        new Residual(
                                Sequential.of("conv1", Conv2d.unbiased(4, 6, 3, 2))
                                        .then("bn1", new BatchNorm2d(6)),
                                new Part(
                                        "downsample",
                                        Sequential.numbered(
                                                List.of(Conv2d.unbiased(4, 6, 1, 2), new BatchNorm2d(6)))))),
                Arguments.of(
                        "padded residual",
                        new Residual(
                                Sequential.of("conv1", Conv2d.unbiased(4, 8, 3, 2))
                                        .then("bn1", new BatchNorm2d(8)),
                                new Part("", new ZeroPaddedShortcut(4, 8, 2)))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("layers")
    void shouldAgreeWithFiniteDifferences(String kind, Layer layer) {
        NetworkName name = NetworkName.parse("tiny?classes=5&input=2x8x8");
        Sequential features = Sequential.of("first", Conv2d.standard(2, 4, 3, 1))
                .then("layer", layer)
                .then("flatten", new Flatten());
        NetworkDefinition definition = NetworkDefinition.of(
                name,
                features.then(
                        "last", Linear.standard(features.output(name.input()).get(0), 5)));
        TestBatch batch = TestBatch.random(definition.spec(), COUNT, 2);
        float[] parameters = definition.initialParameters(3);
        try (Network network = Libtorch.open(definition, Device.CPU)) {
            TestBatch.load(network, parameters);
            loss(network, batch);
            float[] gradient = TestBatch.drain(network, 1);
            int from = 0;
            for (TensorSpec tensor : definition.spec().layout().specs()) {
                int to = from + (int) tensor.elementCount();
                if (!definition.spec().state().has(tensor.name())) {
                    double[] direction = direction(from, to);
                    double expected = 0;
                    for (int i = from; i < to; i++) {
                        expected += gradient[i] * direction[i - from];
                    }
                    // 3 % are for kinks that the step crosses. Rounding is the same with any kernels: the losses are
                    // near 2,
                    // so two of them are off by 2e-7, which the step divides by 8e-3; seven times that.
                    assertThat(slope(network, batch, parameters, direction, from))
                            .as("%s: %s", kind, tensor.name())
                            .isCloseTo(expected, within(0.03 * norm(gradient, from, to) + 2e-4));
                }
                from = to;
            }
        }
    }

    /** Moves all values of a tensor at once, so that the gradient of each takes part. */
    private static double[] direction(int from, int to) {
        Random random = new Random(from);
        double[] direction = random.doubles(to - from, -1, 1).toArray();
        double norm =
                Math.sqrt(java.util.Arrays.stream(direction).map(x -> x * x).sum());
        return java.util.Arrays.stream(direction).map(x -> x / norm).toArray();
    }

    private static double slope(Network network, TestBatch batch, float[] parameters, double[] direction, int from) {
        double[] losses = new double[2];
        for (int side = 0; side < 2; side++) {
            float[] moved = parameters.clone();
            for (int i = 0; i < direction.length; i++) {
                moved[from + i] += (float) ((side == 0 ? STEP : -STEP) * direction[i]);
            }
            TestBatch.load(network, moved);
            losses[side] = loss(network, batch);
            network.discardGradient();
        }
        TestBatch.load(network, parameters);
        return (losses[0] - losses[1]) / (2 * STEP);
    }

    private static double loss(Network network, TestBatch batch) {
        return network.accumulate(batch.images(), batch.labels(), COUNT, DROPOUT, SMOOTHING);
    }

    private static double norm(float[] values, int from, int to) {
        double squares = 0;
        for (int i = from; i < to; i++) {
            squares += (double) values[i] * values[i];
        }
        return Math.sqrt(squares);
    }
}
