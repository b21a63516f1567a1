package org.fleetgrad.networks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FanInUniformTest {

    private static final NetworkDefinition LENET5 = Networks.named("lenet5");

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
        TensorLayout alone = TensorLayout.canonical(List.of(TensorSpec.f32("fc1.weight", 120, 400)));

        assertThat(FanInUniform.draw(alone, 7)).isEqualTo(values("fc1.weight", LENET5.initialParameters(7)));
    }

    /** The fan-in of a convolution is its input channels times its kernel; that of a linear layer its inputs. */
    @ParameterizedTest
    @CsvSource({"conv1, 25", "conv2, 150", "fc1, 400", "fc2, 120", "fc3, 84"})
    void shouldStayWithinTheBoundOfTheLayer(String layer, int fanIn) {
        float bound = (float) (1 / Math.sqrt(fanIn));
        for (long seed = 0; seed < 20; seed++) {
            float[] all = LENET5.initialParameters(seed);
            for (float value : values(layer + ".weight", all)) {
                assertThat(value).isBetween(-bound, bound);
            }
            for (float value : values(layer + ".bias", all)) {
                assertThat(value).isBetween(-bound, bound);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"conv2.weight, 150", "fc1.weight, 400", "fc2.weight, 120"})
    void shouldBeUniformInTheBound(String tensor, int fanIn) {
        float[] values = values(tensor, LENET5.initialParameters(1));
        double bound = 1 / Math.sqrt(fanIn);
        double sum = 0;
        double squares = 0;
        for (float value : values) {
            sum += value;
            squares += (double) value * value;
        }

        // A uniform variable in ±b has mean 0 and variance b²/3; the test allows four standard errors of each.
        double meanError = bound / Math.sqrt(3.0 * values.length);
        double varianceError = bound * bound * Math.sqrt(4.0 / 45 / values.length);
        assertThat(sum / values.length).isCloseTo(0, Offset.offset(4 * meanError));
        assertThat(squares / values.length).isCloseTo(bound * bound / 3, Offset.offset(4 * varianceError));
    }

    @Test
    void shouldRefuseATensorWithoutALayer() {
        TensorLayout layout = TensorLayout.canonical(List.of(TensorSpec.f32("norm.weight", 6)));

        assertThatThrownBy(() -> FanInUniform.draw(layout, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("tensor 'norm.weight' has no layer whose weight has two or more dimensions");
    }

    private static float[] values(String tensor, float[] all) {
        TensorSet set = TensorSet.ofFloats(LENET5.spec().layout(), all, Map.of());
        FloatBuffer floats = set.bytes(tensor).orElseThrow().asFloatBuffer();
        float[] values = new float[floats.remaining()];
        floats.get(values);
        return values;
    }
}
