package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.Map;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.Question.Loss;
import org.fleetgrad.networks.Question.Regression;
import org.fleetgrad.networks.TableTask;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.pipeline.cut.StageMemory;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of tables: numbers, and values of categories, of which a number or a class is predicted. */
class TableTest {

    private static final float[] ROWS = {0.5f, -1, 0, 2, 1.5f, 0.25f, 1, 0};
    private static final float[] PRICES = {0.3f, -4};

    private static Network open(String name, float[] parameters) {
        NetworkDefinition definition = Networks.named(name);
        Network network = Libtorch.open(definition, Device.CPU);
        network.load(TensorSet.ofFloats(definition.spec().layout(), parameters, Map.of()));
        return network;
    }

    /** By hand: two numbers, embeddings of 2 and 3 values with 2 and 3 features, 4 units, one output. */
    private static double[] outputs(NetworkDefinition definition, long seed) {
        float[] first = definition.initialValues("embeddings.0.weight", seed);
        float[] second = definition.initialValues("embeddings.1.weight", seed);
        float[] weight = definition.initialValues("fc1.weight", seed);
        float[] bias = definition.initialValues("fc1.bias", seed);
        float[] head = definition.initialValues("fc2.weight", seed);
        int one = first.length / 2;
        int other = second.length / 3;
        int features = 2 + one + other;
        double[] outputs = new double[2];
        for (int row = 0; row < 2; row++) {
            double[] x = new double[features];
            x[0] = ROWS[row * 4];
            x[1] = ROWS[row * 4 + 1];
            for (int i = 0; i < one; i++) {
                x[2 + i] = first[((int) ROWS[row * 4 + 2]) * one + i];
            }
            for (int i = 0; i < other; i++) {
                x[2 + one + i] = second[((int) ROWS[row * 4 + 3]) * other + i];
            }
            outputs[row] = definition.initialValues("fc2.bias", seed)[0];
            for (int unit = 0; unit < 4; unit++) {
                double sum = bias[unit];
                for (int i = 0; i < features; i++) {
                    sum += weight[unit * features + i] * x[i];
                }
                outputs[row] += head[unit] * Math.max(0, sum);
            }
        }
        return outputs;
    }

    @ParameterizedTest
    @EnumSource
    void shouldComputeEachLossOfANumberAsItsFormula(Loss loss) {
        String name = "tabular?categories=2,3&dropout=0&hidden=4&loss=%s&numbers=2".formatted(loss.word());
        NetworkDefinition definition = Networks.named(name);
        double[] outputs = outputs(definition, 5);

        try (Network network = open(name, definition.initialParameters(5))) {
            assertThat((double) network.logits(ROWS, 2)[0]).isCloseTo(outputs[0], within(1e-6));
            assertThat((double) network.logits(ROWS, 2)[1]).isCloseTo(outputs[1], within(1e-6));
            double mean = (loss.of(outputs[0] - PRICES[0]) + loss.of(outputs[1] - PRICES[1])) / 2;
            assertThat((double) network.accumulate(ROWS, PRICES, 2)).isCloseTo(mean, within(1e-5));
        }
    }

    /** The derivative of the mean by the last bias is the mean of the derivatives by the difference. */
    @ParameterizedTest
    @EnumSource
    void shouldGiveTheGradientOfEachLoss(Loss loss) {
        String name = "tabular?categories=none&dropout=0&hidden=1&loss=%s&numbers=1".formatted(loss.word());
        // In the order of the layout: fc1.bias, fc1.weight, fc2.bias, fc2.weight. So the output is the input.
        float[] identity = {0, 1, 0, 1};
        float[] rows = {0.25f, 3};
        float[] targets = {0.75f, 1};
        double expected = switch (loss) {
            case SQUARED -> (2 * -0.5 + 2 * 2) / 2;
            case ABSOLUTE -> (-1.0 + 1) / 2;
            case HUBER -> (-0.5 + 1) / 2;
        };

        try (Network network = open(name, identity)) {
            float unused = network.accumulate(rows, targets, 2);
            float[] gradient = new float[4];
            network.drainGradient(gradient, 1);
            assertThat((double) gradient[2]).isCloseTo(expected, within(1e-6));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tabular?categories=none&classes=3&dropout=0.1&hidden=16,8&numbers=5",
                "tabular?categories=7,30&classes=3&dropout=0&hidden=16&numbers=5",
                "tabular-resnet?categories=7&classes=3&dropout=0.1&layers=2&numbers=5&width=8",
                "tabular-resnet?categories=none&dropout=0&layers=1&loss=squared&numbers=5&width=8"
            })
    void shouldLearnAFewRowsByHeart(String name) {
        NetworkDefinition definition = Networks.named(name);
        TestBatch batch = TestBatch.random(definition.spec(), 12, 3);
        float[] parameters = definition.initialParameters(1);
        float[] gradient = new float[parameters.length];
        try (Network network = open(name, parameters)) {
            float first = network.accumulate(batch.images(), batch.labels(), 12, 1, 0);
            network.discardGradient();
            float last = first;
            for (int step = 0; step < 300; step++) {
                last = network.accumulate(batch.images(), batch.labels(), 12, step, 0);
                network.drainGradient(gradient, 1);
                for (int i = 0; i < parameters.length; i++) {
                    parameters[i] -= 0.05f * gradient[i];
                }
                network.load(TensorSet.ofFloats(definition.spec().layout(), parameters, Map.of()));
            }
            assertThat(last).isLessThan(first / 3);
        }
    }

    /** What a stage of a pipeline plans with. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "tabular?categories=7,30&classes=3&dropout=0&hidden=16&numbers=5",
                "tabular-resnet?categories=none&dropout=0.1&layers=1&loss=squared&numbers=5&width=8"
            })
    void shouldCountTheActivationsOfEachLayer(String name) {
        StageMemory memory =
                StageMemory.of(BlockRange.whole(Networks.named(name)), new StageMemory.Use(4, 1, 1, 0, false, 0, 2));

        assertThat(memory.activations()).isPositive();
    }

    @Test
    void shouldRefuseWhatIsNoRow() {
        String name = "tabular?categories=2,3&dropout=0&hidden=4&loss=squared&numbers=2";
        try (Network network = open(name, Networks.named(name).initialParameters(5))) {
            float[] rows = ROWS.clone();
            rows[3] = 3;
            assertThatThrownBy(() -> network.logits(rows, 2))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("category 1 of row 0 of a batch is 3.0; it has the values 0 to 2");
            rows[3] = Float.NaN;
            assertThatThrownBy(() -> network.logits(rows, 2)).hasMessageContaining("is NaN");
            assertThatThrownBy(() -> network.accumulate(ROWS, new float[] {1, Float.POSITIVE_INFINITY}, 2))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the target of sample 1 is Infinity");
            assertThatThrownBy(() -> network.accumulate(ROWS, PRICES, 2, 0, 0.1f))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("label smoothing is for classes; these are numbers, and it is 0.1");
            assertThatThrownBy(() -> network.accumulate(ROWS, new float[1], 2))
                    .hasMessage(
                            "a batch of 2 rows of 2 numbers and 2 categories of [2, 3] values takes 2 targets; there are 1");
        }
    }

    /** Seven hundred embeddings: the loss of a batch falls after a step along its gradient. */
    @Test
    void shouldLearnFromATableOfHundredsOfCategories() {
        TableTask wide = new TableTask(3, Collections.nCopies(700, 12), new Regression(Loss.SQUARED));
        NetworkDefinition definition =
                Networks.named(Networks.named("tabular?hidden=16", wide).spec().name());
        assertThat(definition.spec().name()).hasSizeGreaterThan(2_000);
        float[] parameters = definition.initialParameters(5);
        TestBatch batch = TestBatch.random(definition.spec(), 8, 7);
        try (Network network = open(definition.spec().name(), parameters)) {
            float before = network.accumulate(batch.images(), batch.labels(), batch.count());
            float[] gradient = TestBatch.drain(network, 1);
            for (int i = 0; i < parameters.length; i++) {
                parameters[i] -= 1e-3f * gradient[i];
            }
            TestBatch.load(network, parameters);

            assertThat(network.accumulate(batch.images(), batch.labels(), batch.count()))
                    .isLessThan(before);
        }
    }
}
