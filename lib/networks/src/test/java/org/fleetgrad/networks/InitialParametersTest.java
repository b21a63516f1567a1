package org.fleetgrad.networks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.fleetgrad.networks.layer.LayerTensor;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InitialParametersTest {

    private static final NetworkDefinition LENET5 = Networks.usual("lenet5");

    @Test
    void shouldDrawTheSameBitsForASeed() {
        assertThat(LENET5.initialParameters(7))
                .isEqualTo(LENET5.initialParameters(7))
                .isNotEqualTo(LENET5.initialParameters(8));
    }

    /** Workers of two releases may start one run together: the parameters of both must be the same. */
    @Test
    void shouldKeepTheBitsOfASeedForEver() {
        assertThat(Arrays.hashCode(LENET5.initialParameters(0))).isEqualTo(439423065);
        assertThat(Arrays.hashCode(LENET5.initialParameters(-1))).isEqualTo(-803144737);
    }

    @Test
    void shouldDrawATensorFromItsOwnNameAndSeedAlone() {
        NetworkDefinition of100 = Networks.usual("lenet5?classes=100");

        assertThat(values(of100, "fc1.weight", 7)).isEqualTo(values(LENET5, "fc1.weight", 7));
        assertThat(values(of100, "fc3.weight", 7)).hasSize(8400);
    }

    @Test
    void shouldDrawOneTensorAsAmongAllOthers() {
        assertThat(LENET5.initialValues("fc3.weight", 7)).isEqualTo(values(LENET5, "fc3.weight", 7));
        assertThatThrownBy(() -> LENET5.initialValues("fc4.weight", 7))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("lenet5?classes=10&input=1x28x28 has no tensor 'fc4.weight'");
    }

    /** kaiming_uniform(a=sqrt(5)) of PyTorch's layers: within ±1/sqrt(fan_in), the bias too. */
    @ParameterizedTest
    @CsvSource({
        "lenet5, conv1, 25",
        "lenet5, conv2, 150",
        "lenet5, fc1, 400",
        "lenet5, fc2, 120",
        "lenet5, fc3, 84",
        "mnist-cnn, conv2, 250",
        "mnist-cnn, fc1, 320",
        "mlp, fc1, 784",
        "resnet20, fc, 64",
        "resnet18, fc, 512"
    })
    void shouldBeUniformInTheBoundOfTheLayer(String network, String layer, int fanIn) {
        NetworkDefinition definition = Networks.usual(network);
        double bound = 1 / Math.sqrt(fanIn);
        float[] weight = values(definition, layer + ".weight", 1);
        float[] bias = values(definition, layer + ".bias", 1);

        assertThat(largest(weight)).isLessThanOrEqualTo((float) bound).isGreaterThan((float) (0.9 * bound));
        assertThat(largest(bias)).isLessThanOrEqualTo((float) bound).isGreaterThan((float) (0.5 * bound));
        assertMoments(weight, 0, bound / Math.sqrt(3), 4.0 / 45 * Math.pow(bound, 4));
    }

    /** kaiming_normal(mode="fan_out", nonlinearity="relu") of torchvision: standard deviation sqrt(2/fan_out). */
    @ParameterizedTest
    @CsvSource({
        "resnet18, conv1.weight, 3136",
        "resnet18, layer3.0.downsample.0.weight, 256",
        "resnet18, layer4.1.conv2.weight, 4608",
        "resnet50, layer1.0.conv3.weight, 256",
        "resnet20, layer3.2.conv1.weight, 576",
        "vgg11?head=cifar, features.0.weight, 576",
        "vgg11?head=cifar, features.18.weight, 4608",
        "vgg11_bn?head=cifar, features.4.weight, 1152"
    })
    void shouldBeNormalByTheFanOut(String network, String tensor, int fanOut) {
        assertNormal(values(Networks.usual(network), tensor, 3), Math.sqrt(2.0 / fanOut));
    }

    @ParameterizedTest
    @CsvSource({"classifier.0.weight", "classifier.3.weight", "classifier.6.weight"})
    void shouldBeginTheLinearLayersOfVggNormalAndSmall(String tensor) {
        assertNormal(values(Networks.usual("vgg11?head=cifar"), tensor, 3), 0.01);
    }

    @ParameterizedTest
    @CsvSource({
        "resnet18, bn1.weight, 1",
        "resnet18, bn1.bias, 0",
        "resnet18, bn1.running_mean, 0",
        "resnet18, bn1.running_var, 1",
        "resnet18, layer2.0.downsample.1.running_var, 1",
        "vgg11_bn?head=cifar, features.0.bias, 0",
        "vgg11_bn?head=cifar, features.1.weight, 1",
        "vgg11_bn?head=cifar, features.1.running_var, 1",
        "vgg11_bn?head=cifar, classifier.6.bias, 0"
    })
    void shouldBeginNormsAndBiasesAsConstants(String network, String tensor, float value) {
        assertThat(values(Networks.usual(network), tensor, 3)).containsOnly(value);
    }

    /** Of each network, no tensor is left at zeros that should not be. */
    @Test
    void shouldDrawEveryWeight() {
        NetworkDefinition definition = Networks.usual("resnet56");
        float[] all = definition.initialParameters(5);

        assertThat(definition.layers().tensors())
                .filteredOn(tensor -> tensor.shape().size() > 1)
                .hasSize(56)
                .extracting(LayerTensor::name)
                .allSatisfy(tensor ->
                        assertThat(largest(values(definition, tensor, all))).isPositive());
    }

    private static void assertNormal(float[] values, double deviation) {
        assertMoments(values, 0, deviation, 2 * Math.pow(deviation, 4));
        long beyondTwo = 0;
        for (float value : values) {
            beyondTwo += Math.abs(value) > 2 * deviation ? 1 : 0;
        }
        double expected = 0.0455 * values.length;
        assertThat((double) beyondTwo).isCloseTo(expected, Offset.offset(4 * Math.sqrt(expected)));
    }

    /** Allows four standard errors of the mean and of the mean square. */
    private static void assertMoments(float[] values, double mean, double deviation, double varianceOfSquares) {
        double sum = 0;
        double squares = 0;
        for (float value : values) {
            sum += value;
            squares += (double) value * value;
        }
        int n = values.length;
        assertThat(sum / n).isCloseTo(mean, Offset.offset(4 * deviation / Math.sqrt(n)));
        assertThat(squares / n).isCloseTo(deviation * deviation, Offset.offset(4 * Math.sqrt(varianceOfSquares / n)));
    }

    private static float largest(float[] values) {
        float largest = 0;
        for (float value : values) {
            largest = Math.max(largest, Math.abs(value));
        }
        return largest;
    }

    private static float[] values(NetworkDefinition definition, String tensor, long seed) {
        return values(definition, tensor, definition.initialParameters(seed));
    }

    private static float[] values(NetworkDefinition definition, String tensor, float[] all) {
        TensorSet set = TensorSet.ofFloats(definition.spec().layout(), all, Map.of());
        FloatBuffer floats = set.bytes(tensor).orElseThrow().asFloatBuffer();
        float[] values = new float[floats.remaining()];
        floats.get(values);
        return values;
    }
}
