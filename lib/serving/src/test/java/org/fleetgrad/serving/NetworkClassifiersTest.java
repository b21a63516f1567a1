package org.fleetgrad.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("kernels")
class NetworkClassifiersTest {

    private static final String NAME = "resnet20?classes=3&input=3x8x8";
    private static final NetworkDefinition RESNET = Networks.named(NAME);
    private static final TensorLayout LAYOUT = RESNET.spec().layout();
    private static final double EPSILON = 1e-5;

    /** Ten times the most that was seen with the kernels of any processor: default, AVX2 and AVX-512. */
    private static final float ROUNDING = 2e-5f;

    private final NetworkClassifiers classifiers = new NetworkClassifiers(Device.CPU);

    @Test
    void shouldFindTheNetworkThatASetNames() {
        ServedNetwork network = classifiers.networkOf(set(RESNET.initialParameters(1), metadata()));

        assertThat(network.name()).isEqualTo(NAME);
        assertThat(network.shape()).isEqualTo(new ImageShape(3, 8, 8));
        assertThat(network.outputs()).isEqualTo(3);
        assertThat(network.sampleBytes()).isGreaterThan(3 * 16 * 8 * 8 * 4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "network | - | its metadata has no 'network', so it names no network; the networks are bert, bert-base, gpt2,",
                "network | lenet9?classes=3&input=3x8x8 | there is no network 'lenet9'; the networks are bert, bert-base, gpt2,",
                "network | resnet20 | tensor 'fc.bias' has shape [3] (3 values), the network resnet20 has [10]",
                "network | resnet20?classes=3&input=3x8x8&depth=7 | the network resnet20 has no argument 'depth'",
                "network | resnet20?classes=4&input=3x8x8 | tensor 'fc.bias'",
                "network | resnet32?classes=3&input=3x8x8 | layer1.3.bn1.bias",
                "state | - | tensor 'bn1.running_mean' is not declared as state; the network resnet20?classes=3&input=3x8x8 has",
                "state | 0.1 fc.bias | tensor 'bn1.running_mean' is not declared as state",
                "state | what | a line of the metadata 'state' must be like '0.1 bn1.running_mean'"
            })
    void shouldRefuseASetThatIsNotOfTheNetworkItNames(String key, String value, String message) {
        Map<String, String> metadata = metadata();
        if (value == null) {
            metadata.remove(key);
        } else {
            metadata.put(key, value);
        }

        assertThatThrownBy(() -> classifiers.networkOf(set(RESNET.initialParameters(1), metadata)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldRefuseStateThatTheNetworkStepsOrOfAnotherMomentum() {
        Map<String, String> more = metadata();
        more.put(ParameterState.KEY, more.get(ParameterState.KEY) + "\n0.1 fc.bias");
        assertThatThrownBy(() -> classifiers.networkOf(set(RESNET.initialParameters(1), more)))
                .hasMessage("tensor 'fc.bias' is declared as state, the network %s has it as a parameter", NAME);

        Map<String, String> other = metadata();
        String state = RESNET.spec().state().text();
        other.put(ParameterState.KEY, state.replace("0.1 bn1.running_var", "0.5 bn1.running_var"));
        assertThatThrownBy(() -> classifiers.networkOf(set(RESNET.initialParameters(1), other)))
                .hasMessage("tensor 'bn1.running_var' is state with momentum 0.5, the network %s has 0.1", NAME);
    }

    /**
     * Running statistics (m, v) with weight w and bias b are the same function as the statistics (0, 1) with the weight w
     * sqrt((1 + e) / (v + e)) and the bias b - m w / sqrt(v + e).
     */
    @Test
    void shouldNormalizeByTheStatisticsOfTheSet() {
        float[] drawn = drawn(7);
        float[] folded = drawn.clone();
        for (TensorSpec tensor : LAYOUT.specs()) {
            if (tensor.name().endsWith(".running_mean")) {
                fold(folded, tensor.name().substring(0, tensor.name().indexOf(".running_mean")));
            }
        }
        float[] images = images(5);

        float[] byStatistics = logits(drawn, images, 5);

        assertThat(byStatistics).containsExactly(logits(folded, images, 5), within(ROUNDING));
        assertThat(byStatistics).as("the statistics matter").isNotEqualTo(logits(without(drawn), images, 5));
    }

    @Test
    void shouldAnswerAnImageTheSameWhateverIsBesideItInTheBatch() {
        float[] images = images(4);
        float[] together = logits(drawn(3), images, 4);

        float[] alone = logits(drawn(3), images, 1);

        assertThat(new float[] {together[0], together[1], together[2]}).containsExactly(alone, within(ROUNDING));
    }

    private float[] logits(float[] values, float[] images, int count) {
        TensorSet set = set(values, metadata());
        try (Classifier classifier = classifiers.open(classifiers.networkOf(set))) {
            classifier.load(set);
            return classifier.logits(images, count);
        }
    }

    private static void fold(float[] values, String normalization) {
        int weight = place(normalization + ".weight");
        int bias = place(normalization + ".bias");
        int mean = place(normalization + ".running_mean");
        int variance = place(normalization + ".running_var");
        int channels = (int) LAYOUT.specs()
                .get(LAYOUT.indexOf(normalization + ".bias").orElseThrow())
                .elementCount();
        for (int i = 0; i < channels; i++) {
            double scale = values[weight + i] / Math.sqrt(values[variance + i] + EPSILON);
            values[bias + i] = (float) (values[bias + i] - values[mean + i] * scale);
            values[weight + i] = (float) (scale * Math.sqrt(1 + EPSILON));
            values[mean + i] = 0;
            values[variance + i] = 1;
        }
    }

    /** Draws every value of the normalizations, so that each has a part in the answer. */
    private static float[] drawn(long seed) {
        float[] values = RESNET.initialParameters(seed);
        Random random = new Random(seed);
        for (TensorSpec tensor : LAYOUT.specs()) {
            boolean isMean = tensor.name().endsWith(".running_mean");
            if (isMean || tensor.name().endsWith(".running_var")) {
                int from = place(tensor.name());
                for (int i = from; i < from + tensor.elementCount(); i++) {
                    values[i] = isMean ? random.nextFloat() - 0.5f : 0.5f + random.nextFloat();
                }
            }
        }
        return values;
    }

    /** The same parameters with the statistics that a network begins with. */
    private static float[] without(float[] values) {
        float[] initial = RESNET.initialParameters(0);
        float[] without = values.clone();
        for (TensorSpec tensor : LAYOUT.specs()) {
            if (RESNET.spec().state().has(tensor.name())) {
                int from = place(tensor.name());
                System.arraycopy(initial, from, without, from, (int) tensor.elementCount());
            }
        }
        return without;
    }

    private static int place(String tensor) {
        return (int) (LAYOUT.byteOffset(LAYOUT.indexOf(tensor).orElseThrow()) / Float.BYTES);
    }

    private static float[] images(int count) {
        Random random = new Random(11);
        float[] images = new float[count * 3 * 8 * 8];
        for (int i = 0; i < images.length; i++) {
            images[i] = (float) random.nextGaussian();
        }
        return images;
    }

    private static Map<String, String> metadata() {
        Map<String, String> metadata = new TreeMap<>();
        metadata.put(MetadataKeys.NETWORK, NAME);
        metadata.put(ParameterState.KEY, RESNET.spec().state().text());
        return metadata;
    }

    private static TensorSet set(float[] values, Map<String, String> metadata) {
        return TensorSet.ofFloats(LAYOUT, values, metadata);
    }
}
