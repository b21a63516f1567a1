package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.Task;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the goldens, which are without dropout, do not say of transformers. */
@Tag("kernels")
class TransformerTest {

    private static final int COUNT = 3;
    private static final int CONTEXT = 12;
    private static final int VOCABULARY = 17;
    private static final String SIZES = "?context=12&heads=4&layers=2&tied=yes&vocabulary=17&width=24&dropout=";

    private static Network open(String dropout) {
        NetworkDefinition definition = Networks.named("gpt2" + SIZES + dropout);
        Network network = Libtorch.open(definition, Device.CPU);
        // Larger than its initial values, so that attention is far from uniform.
        float[] values = definition.initialParameters(3);
        for (int i = 0; i < values.length; i++) {
            values[i] *= 8;
        }
        TestBatch.load(network, values);
        return network;
    }

    private static float[] tokens() {
        return Formula.tokens(COUNT * CONTEXT, VOCABULARY);
    }

    private static float[] labels() {
        return Formula.nextTokens(COUNT * CONTEXT, VOCABULARY);
    }

    @Test
    void shouldComputeTheSameAttentionWithAMaskOfOnes() {
        float[] whole = gradient("0");
        float[] dropped = gradient("0.000001");
        double largest = 0;
        for (int i = 0; i < whole.length; i++) {
            largest = Math.max(largest, Math.abs(whole[i]));
        }
        for (int i = 0; i < whole.length; i++) {
            assertThat(dropped[i]).isCloseTo(whole[i], within((float) (1e-4 * largest)));
        }
    }

    private static float[] gradient(String dropout) {
        try (Network network = open(dropout)) {
            float loss = network.accumulate(tokens(), labels(), COUNT, 5, 0);
            assertThat(loss).isPositive();
            return TestBatch.drain(network, 1);
        }
    }

    @Test
    void shouldDropTheSameForTheSameSeed() {
        try (Network network = open("0.3")) {
            float first = network.accumulate(tokens(), labels(), COUNT, 5, 0);
            float again = network.accumulate(tokens(), labels(), COUNT, 5, 0);
            float other = network.accumulate(tokens(), labels(), COUNT, 6, 0);

            assertThat(again).isEqualTo(first);
            assertThat(other).isNotEqualTo(first);
        }
    }

    @Test
    void shouldNotLetATokenSeeThoseAfterIt() {
        try (Network network = open("0.3")) {
            float[] before = network.logits(tokens(), 1);
            float[] changed = tokens();
            changed[CONTEXT - 1] = (changed[CONTEXT - 1] + 1) % VOCABULARY;
            float[] after = network.logits(changed, 1);

            int ofOthers = (CONTEXT - 1) * VOCABULARY;
            assertThat(Arrays.copyOf(after, ofOthers)).isEqualTo(Arrays.copyOf(before, ofOthers));
            assertThat(after).isNotEqualTo(before);
        }
    }

    @Test
    void shouldNotLetIgnoredLabelsCount() {
        try (Network network = open("0")) {
            float[] logits = network.logits(tokens(), COUNT);
            float[] labels = labels();
            double sum = 0;
            int counted = 0;
            for (int i = 0; i < labels.length; i++) {
                if (labels[i] != Task.IGNORED_LABEL) {
                    sum -= Math.log(softmax(logits, i * VOCABULARY, (int) labels[i]));
                    counted++;
                }
            }
            assertThat(counted).isLessThan(labels.length);
            assertThat(network.accumulate(tokens(), labels, COUNT)).isCloseTo((float) (sum / counted), within(1e-4f));
            assertThatThrownBy(() -> network.accumulate(tokens(), ignored(), COUNT))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("all 36 labels of a batch are -100, so it has no loss");
        }
    }

    private static float[] ignored() {
        float[] none = new float[COUNT * CONTEXT];
        Arrays.fill(none, Task.IGNORED_LABEL);
        return none;
    }

    private static double softmax(float[] logits, int from, int label) {
        double sum = 0;
        for (int i = 0; i < VOCABULARY; i++) {
            sum += Math.exp(logits[from + i]);
        }
        return Math.exp(logits[from + label]) / sum;
    }

    @ParameterizedTest
    @ValueSource(floats = {-1, 17, Float.NaN, 1e9f})
    void shouldRefuseATokenBeyondTheVocabulary(float token) {
        try (Network network = open("0")) {
            float[] tokens = tokens();
            tokens[7] = token;
            assertThatThrownBy(() -> network.logits(tokens, COUNT))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("token 7 of a batch is %s; the network's vocabulary has the tokens 0 to 16", token);
        }
    }

    @Test
    void shouldLearnToCount() {
        try (Network network = open("0")) {
            float[] values = Networks.named("gpt2" + SIZES + "0").initialParameters(4);
            Random random = new Random(1);
            float last = 0;
            for (int step = 0; step < 150; step++) {
                TestBatch.load(network, values);
                float[] tokens = new float[COUNT * CONTEXT];
                float[] labels = new float[COUNT * CONTEXT];
                for (int i = 0; i < tokens.length; i++) {
                    tokens[i] = i % CONTEXT == 0 ? random.nextInt(VOCABULARY) : (tokens[i - 1] + 3) % VOCABULARY;
                    labels[i] = (int) (tokens[i] + 3) % VOCABULARY;
                }
                last = network.accumulate(tokens, labels, COUNT, step, 0);
                float[] gradient = TestBatch.drain(network, 1);
                for (int i = 0; i < values.length; i++) {
                    values[i] -= 0.5f * gradient[i];
                }
            }
            assertThat(last).isLessThan(1f);
        }
    }
}
