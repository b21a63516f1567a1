package org.fleetgrad.libtorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Map;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Several labels of a row, each of them no or yes. */
class LabelsTest {

    private static final String NAME = "tabular?categories=none&dropout=0&hidden=8&labels=3&numbers=5";
    private static final int STEPS = 6;
    private static final float RATE = 0.5f;

    /** The same steps in float64; tensors come and go in the order of their names. */
    private static final String PYTORCH = """
            import json, sys, torch
            rows, labels, values = (torch.tensor(json.loads(text), dtype=torch.float64) for text in sys.argv[1:4])
            network = torch.nn.Sequential(torch.nn.Linear(5, 8), torch.nn.ReLU(), torch.nn.Linear(8, 3)).double()
            tensors = [network[0].bias, network[0].weight, network[2].bias, network[2].weight]
            with torch.no_grad():
                at = 0
                for tensor in tensors:
                    tensor.copy_(values[at:at + tensor.numel()].reshape(tensor.shape))
                    at += tensor.numel()
            optimizer = torch.optim.SGD(network.parameters(), lr=0.5)
            losses = []
            for step in range(6):
                optimizer.zero_grad()
                loss = torch.nn.BCEWithLogitsLoss()(network(rows.reshape(-1, 5)), labels.reshape(-1, 3))
                loss.backward()
                optimizer.step()
                losses.append(loss.item())
            print(json.dumps({"losses": losses, "values": torch.cat([tensor.flatten() for tensor in tensors]).tolist()}))
            """;

    private static Network open(float[] parameters) {
        Network network = Libtorch.open(Networks.named(NAME), Device.CPU);
        load(network, parameters);
        return network;
    }

    private static void load(Network network, float[] parameters) {
        network.load(TensorSet.ofFloats(network.spec().layout(), parameters, Map.of()));
    }

    @Test
    @Tag("whole")
    void shouldTakeTheStepsOfPyTorch() {
        NetworkDefinition definition = Networks.named(NAME);
        TestBatch batch = TestBatch.random(definition.spec(), 16, 11);
        float[] parameters = definition.initialParameters(5);
        JsonMapper json = JsonMapper.shared();
        JsonNode theirs = json.readTree(Python.run(
                PYTORCH,
                json.writeValueAsString(batch.images()),
                json.writeValueAsString(batch.labels()),
                json.writeValueAsString(parameters)));

        try (Network network = open(parameters)) {
            for (int step = 0; step < STEPS; step++) {
                assertThat((double) network.accumulate(batch.images(), batch.labels(), batch.count()))
                        .isCloseTo(theirs.path("losses").get(step).asDouble(), within(1e-6));
                float[] gradient = TestBatch.drain(network, 1);
                for (int i = 0; i < parameters.length; i++) {
                    parameters[i] -= RATE * gradient[i];
                }
                load(network, parameters);
            }
        }
        for (int i = 0; i < parameters.length; i++) {
            assertThat((double) parameters[i])
                    .isCloseTo(theirs.path("values").get(i).asDouble(), within(1e-5));
        }
    }

    /** Neither overflows, and of a label that is surely right nothing is left: log-odds of a hundred. */
    @Test
    void shouldHaveTheLossOfEachLabelWhateverItsLogOdds() {
        float[] parameters = Networks.named(NAME).initialParameters(5);
        // In the order of the layout: fc1.bias, fc1.weight, fc2.bias, fc2.weight. So the outputs are the last bias.
        Arrays.fill(parameters, 0);
        parameters[48] = 100;
        parameters[49] = -100;
        parameters[50] = 0;
        try (Network network = open(parameters)) {
            float[] row = new float[5];
            assertThat((double) network.accumulate(row, new float[] {1, 0, 1}, 1))
                    .isCloseTo(Math.log(2) / 3, within(1e-7));
            network.discardGradient();
            assertThat((double) network.accumulate(row, new float[] {0, 1, 0}, 1))
                    .isCloseTo((100 + 100 + Math.log(2)) / 3, within(1e-5));
            float[] gradient = TestBatch.drain(network, 1);
            // sigmoid(x) - y of each label, a third of the mean.
            assertThat(gradient[48]).isCloseTo(1 / 3f, within(1e-6f));
            assertThat(gradient[49]).isCloseTo(-1 / 3f, within(1e-6f));
            assertThat(gradient[50]).isCloseTo(0.5f / 3, within(1e-6f));
        }
    }

    @Test
    void shouldRefuseWhatIsNoLabel() {
        try (Network network = open(Networks.named(NAME).initialParameters(5))) {
            float[] rows = new float[10];
            assertThatThrownBy(() -> network.accumulate(rows, new float[] {0, 1, 0, 1, 0.5f, 0}, 2))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("label 1 of sample 1 is 0.5; it must be 0 or 1");
            assertThatThrownBy(() -> network.accumulate(rows, new float[] {Float.NaN, 1, 0, 1, 0, 0}, 2))
                    .hasMessage("label 0 of sample 0 is NaN; it must be 0 or 1");
            assertThatThrownBy(() -> network.accumulate(rows, new float[6], 2, 0, 0.1f))
                    .hasMessage("label smoothing is for classes; these are 3 labels, and it is 0.1");
            assertThatThrownBy(() -> network.accumulate(rows, new float[5], 2))
                    .hasMessage("a batch of 2 rows of 5 numbers takes 6 targets; there are 5");
        }
    }
}
