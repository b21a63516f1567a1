package org.fleetgrad.worker.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.client.fake.PushFault;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The additions of a worker to its gradients: the statistics of the network's state, and momentum. */
class ExchangedStateTest {

    private static final TensorLayout LAYOUT =
            TensorLayout.canonical(List.of(TensorSpec.f32("w", 2), TensorSpec.f32("b", 1)));

    private FakeParameterServer server;

    @SuppressWarnings("NullAway.Init")
    private ParameterExchange exchange;

    @BeforeEach
    void open() throws IOException {
        server = new FakeParameterServer(0.5f);
    }

    @AfterEach
    void close() {
        server.close();
    }

    private Pulled join(ParameterState state) throws Exception {
        WorkerRegistration registration = new WorkerRegistration(
                ParameterServers.of(List.of(new PsClient(server.uri(), ClientOptions.DEFAULT))),
                PlainTraining.WORKER,
                PlainTraining.TRANSFER);
        registration.begin();
        NetworkSpec network = new NetworkSpec("tiny", new ImageClassification(List.of(1, 1, 1), 2), LAYOUT, state);
        exchange = PlainTraining.exchange(registration, network, () -> set(1, 2, 3));
        return exchange.pull();
    }

    private static TensorSet set(float... values) {
        return TensorSet.ofFloats(LAYOUT, values, Map.of("network", "tiny"));
    }

    @Test
    void shouldFailWhereTheServersStateIsAnother() throws Exception {
        server.start(7, set(1, 2, 3));

        assertThatThrownBy(() -> join(ParameterState.of(List.of("b"), 0.1f)))
                .isInstanceOf(TrainingFailedException.class)
                .hasMessage(
                        "the server trains another network than tiny: tensor 'b' is not declared as state; this network has 1 tensors of state, this has 0");
    }

    @Test
    void shouldSayOverHowManyBatchesItObservedTheState() throws Exception {
        ParameterState state = ParameterState.of(List.of("b"), 0.1f);
        server.askForMomentum(0.5);
        server.start(
                7,
                TensorSet.ofFloats(
                        LAYOUT, new float[] {1, 2, 3}, Map.of("network", "tiny", ParameterState.KEY, state.text())));
        join(state);

        exchange.push(
                exchange.newest(), PlainTraining.mean(new float[] {1, 2, 4}, 64, 2), Optional.empty(), () -> false);

        assertThat(server.pushes().get(0).metadata().batches()).hasValue(2);
        // No momentum is applied to the statistics.
        assertThat(server.pushes().get(0).gradient(LAYOUT)).containsExactly(1, 3, 6);
    }

    @Test
    void shouldGiveItsGradientsTheMomentumThatTheServerAsksFor() throws Exception {
        server.askForMomentum(0.5);
        join(ParameterState.NONE);
        server.next(PushFault.lostResponse());

        exchange.push(
                exchange.newest(), PlainTraining.mean(new float[] {1, 2, 4}, 64, 2), Optional.empty(), () -> false);
        exchange.push(
                exchange.newest(), PlainTraining.mean(new float[] {1, 2, 4}, 64, 2), Optional.empty(), () -> false);

        // v = 0.5 v + g, u = 0.5 v + g: once for each gradient, though the first was sent twice.
        assertThat(server.pushes().stream().map(push -> push.gradient(LAYOUT)))
                .containsExactly(new float[] {1.5f, 3, 6}, new float[] {1.5f, 3, 6}, new float[] {1.75f, 3.5f, 7});
    }
}
