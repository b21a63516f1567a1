package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.assertj.core.data.Offset;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.FreezePatterns;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TrainableValues;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("kernels")
class FrozenNetworkTest {

    private static final String SMALL_RESNET = "resnet20?classes=4&input=1x12x12";
    private static final String BODY = "conv1.*,bn1.*,layer*";

    /** Without state, what is frozen has no influence on the gradient of the rest. */
    @ParameterizedTest
    @ValueSource(strings = {"conv1.*", "conv*,fc1.*", "fc3.*", "conv2.bias,fc2.weight", "*.bias"})
    void shouldHaveTheSameGradientWithoutTheFrozenTensors(String patterns) {
        try (Network network = TestBatch.open("lenet5", 3)) {
            TestBatch batch = TestBatch.random(network.spec(), 5, 4);
            float[] whole = batch.gradient(network);

            FrozenTensors frozen = freeze(network, patterns);

            float[] trainable =
                    TrainableValues.of(network.spec().layout(), frozen).of(whole);
            assertThat(batch.gradient(network)).isEqualTo(trainable);
            network.freeze(FrozenTensors.NONE);
            assertThat(batch.gradient(network)).isEqualTo(whole);
        }
    }

    /** Of a network whose normalizations stand still, training computes what an evaluation computes. */
    @Test
    void shouldNormalizeAFrozenBodyAsInAnEvaluation() {
        try (Network network = TestBatch.open(SMALL_RESNET, 3)) {
            TestBatch batch = TestBatch.random(network.spec(), 6, 4);
            assertThat(lossIsOfLogits(network, batch))
                    .as("with the statistics of the batch")
                    .isFalse();

            freeze(network, BODY);

            assertThat(lossIsOfLogits(network, batch)).isTrue();
            // The gradient of the bias is the mean of softmax minus target.
            float[] gradient = TestBatch.drain(network, 1);
            float[] logits = network.logits(batch.images(), batch.count());
            assertThat(network.trainable().specs().get(0).name()).isEqualTo("fc.bias");
            for (int k = 0; k < 4; k++) {
                double expected = 0;
                for (int i = 0; i < batch.count(); i++) {
                    double one = Math.exp(logits[4 * i + k] - logSum(logits, i));
                    expected += (one - (batch.labels()[i] == k ? 1 : 0)) / batch.count();
                }
                assertThat((double) gradient[k]).isCloseTo(expected, Offset.offset(1e-5));
            }
        }
    }

    private static boolean lossIsOfLogits(Network network, TestBatch batch) {
        float[] logits = network.logits(batch.images(), batch.count());
        double expected = 0;
        for (int i = 0; i < batch.count(); i++) {
            expected += (logSum(logits, i) - logits[4 * i + (int) batch.labels()[i]]) / batch.count();
        }
        float loss = network.accumulate(batch.images(), batch.labels(), batch.count());
        return Math.abs(loss - expected) < 1e-5;
    }

    private static double logSum(float[] logits, int sample) {
        double sum = 0;
        for (int k = 0; k < 4; k++) {
            sum += Math.exp(logits[4 * sample + k]);
        }
        return Math.log(sum);
    }

    @Test
    void shouldObserveOnlyTheStateThatIsNotFrozen() {
        try (Network network = TestBatch.open(SMALL_RESNET, 3)) {
            TestBatch batch = TestBatch.random(network.spec(), 6, 4);
            FrozenTensors frozen = freeze(network, "layer3.2.bn2.weight");

            TensorLayout gradient = network.trainable();

            assertThat(frozen.names())
                    .containsExactly("layer3.2.bn2.running_mean", "layer3.2.bn2.running_var", "layer3.2.bn2.weight");
            assertThat(gradient.indexOf("layer3.2.bn2.bias")).isPresent();
            float[] whole;
            try (Network other = TestBatch.open(SMALL_RESNET, 3)) {
                whole = batch.gradient(other);
            }
            // What stands before the frozen layer observes the same statistics.
            TensorLayout all = network.spec().layout();
            int at = (int) all.byteOffset(all.indexOf("bn1.running_var").orElseThrow()) / Float.BYTES;
            int frozenAt = (int) gradient.byteOffset(
                            gradient.indexOf("bn1.running_var").orElseThrow())
                    / Float.BYTES;
            float[] values = batch.gradient(network);
            for (int i = 0; i < 16; i++) {
                assertThat(values[frozenAt + i]).isEqualTo(whole[at + i]);
            }
        }
    }

    @Test
    void shouldKeepWhatIsFrozenWhenTheTrainableTensorsAreLoaded() {
        try (Network network = TestBatch.open("lenet5", 3);
                Network expected = TestBatch.open("lenet5", 3)) {
            NetworkSpec spec = network.spec();
            TestBatch batch = TestBatch.random(spec, 5, 4);
            TrainableValues places = TrainableValues.of(spec.layout(), freeze(network, "conv*,fc2.*"));
            float[] all = Networks.usual("lenet5").initialParameters(3);
            float[] others = places.of(Networks.usual("lenet5").initialParameters(8));
            places.putInto(others, all);
            TestBatch.load(expected, all);

            network.load(TensorSet.ofFloats(places.layout(), others, Map.of()));

            assertThat(network.logits(batch.images(), 5)).isEqualTo(expected.logits(batch.images(), 5));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> network.load(TensorSet.ofFloats(
                            TensorLayout.inOrder(spec.layout().specs().subList(0, 2)), new float[156], Map.of())))
                    .withMessageContaining("tensor 'conv2.bias' of shape [16] is missing");
        }
    }

    private static FrozenTensors freeze(Network network, String patterns) {
        FrozenTensors frozen = FreezePatterns.parse(patterns)
                .in(network.spec().layout(), network.spec().state());
        network.freeze(frozen);
        return frozen;
    }
}
