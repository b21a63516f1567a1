package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.block.BlockRange;
import org.fleetgrad.pipeline.cut.StageMemory;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Series, of which a number or a class is predicted. GoldenNetworksTest compares the networks with PyTorch's. */
class SeriesTest {

    private static final String LSTM = "series?classes=3&hidden=4&input=2x6&kind=lstm&layers=1";

    private static double sigmoid(double x) {
        return 1 / (1 + Math.exp(-x));
    }

    /** The formula of an LSTM, place after place. */
    private static double[] lastState(NetworkDefinition definition, long seed, float[] series) {
        float[] ofInput = definition.initialValues("lstm.weight_ih_l0", seed);
        float[] ofState = definition.initialValues("lstm.weight_hh_l0", seed);
        float[] inputBias = definition.initialValues("lstm.bias_ih_l0", seed);
        float[] stateBias = definition.initialValues("lstm.bias_hh_l0", seed);
        double[] state = new double[4];
        double[] cell = new double[4];
        for (int place = 0; place < 6; place++) {
            double[] gates = new double[16];
            for (int gate = 0; gate < 16; gate++) {
                gates[gate] = inputBias[gate] + stateBias[gate];
                for (int channel = 0; channel < 2; channel++) {
                    gates[gate] += ofInput[gate * 2 + channel] * series[channel * 6 + place];
                }
                for (int i = 0; i < 4; i++) {
                    gates[gate] += ofState[gate * 4 + i] * state[i];
                }
            }
            for (int i = 0; i < 4; i++) {
                cell[i] = sigmoid(gates[4 + i]) * cell[i] + sigmoid(gates[i]) * Math.tanh(gates[8 + i]);
                state[i] = sigmoid(gates[12 + i]) * Math.tanh(cell[i]);
            }
        }
        return state;
    }

    @Test
    void shouldComputeAnLstmAsItsFormula() {
        NetworkDefinition definition = Networks.named(LSTM);
        TestBatch batch = TestBatch.random(definition.spec(), 1, 4);
        double[] state = lastState(definition, 5, batch.images());
        float[] weight = definition.initialValues("head.weight", 5);
        float[] bias = definition.initialValues("head.bias", 5);

        try (Network network = Libtorch.open(definition, Device.CPU)) {
            TestBatch.load(network, definition.initialParameters(5));
            float[] logits = network.logits(batch.images(), 1);
            for (int output = 0; output < 3; output++) {
                double expected = bias[output];
                for (int i = 0; i < 4; i++) {
                    expected += weight[output * 4 + i] * state[i];
                }
                assertThat((double) logits[output]).isCloseTo(expected, within(1e-6));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "series?classes=3&hidden=8&input=2x20&kind=conv&layers=3",
                "series?hidden=8&input=1x1&kind=conv&layers=2&loss=squared",
                LSTM,
                "series?hidden=8&input=3x9&kind=lstm&layers=2&loss=absolute"
            })
    void shouldLearnAFewSeriesByHeart(String name) {
        NetworkDefinition definition = Networks.named(name);
        TestBatch batch = TestBatch.random(definition.spec(), 6, 3);
        float[] parameters = definition.initialParameters(1);
        float[] gradient = new float[parameters.length];
        float[] squares = new float[parameters.length];
        try (Network network = Libtorch.open(definition, Device.CPU)) {
            TestBatch.load(network, parameters);
            float first = network.accumulate(batch.images(), batch.labels(), 6, 1, 0);
            network.discardGradient();
            float last = first;
            for (int step = 0; step < 300; step++) {
                last = network.accumulate(batch.images(), batch.labels(), 6, step, 0);
                network.drainGradient(gradient, 1);
                for (int i = 0; i < parameters.length; i++) {
                    squares[i] = 0.9f * squares[i] + 0.1f * gradient[i] * gradient[i];
                    parameters[i] -= (float) (0.01 * gradient[i] / (Math.sqrt(squares[i]) + 1e-6));
                }
                network.load(TensorSet.ofFloats(definition.spec().layout(), parameters, Map.of()));
            }
            assertThat(last).isLessThan(first / 2);
        }
    }

    /** By hand: [2, 6] as floats; of each place 17 numbers for each of the 4 features; and the output [3]. */
    @Test
    void shouldCountWhatAnLstmSaves() {
        StageMemory memory =
                StageMemory.of(BlockRange.whole(Networks.named(LSTM)), new StageMemory.Use(1, 1, 1, 0, false, 0, 2));

        long saved = 4L * (12 + 6 * 4 * 17 + 4 + 3);
        long largest = 4L * 16 * 4;
        long work = 2 * 4L * (12 + 4 + 6 * (2 + 6 * 4));
        assertThat(memory.activations()).isEqualTo(saved + work + 2 * largest);
        assertThat(ForwardMemory.bytesOfSample(Networks.named(LSTM))).isEqualTo(4L * (12 + 4 + 6 * (2 + 6 * 4)));
    }
}
