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
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A worker of a run that freezes {@code body} and trains {@code head}. */
class FrozenExchangeTest {

    private static final TensorLayout LAYOUT =
            TensorLayout.canonical(List.of(TensorSpec.f32("body", 3), TensorSpec.f32("head", 2)));
    private static final TensorLayout HEAD = TensorLayout.canonical(List.of(TensorSpec.f32("head", 2)));
    private static final NetworkSpec NETWORK =
            new NetworkSpec("tiny", new ImageClassification(List.of(1, 1, 1), 2), LAYOUT, ParameterState.NONE);

    private FakeParameterServer server;

    @SuppressWarnings("NullAway.Init")
    private ParameterExchange exchange;

    @BeforeEach
    void open() throws Exception {
        server = new FakeParameterServer(0.5f).freeze("body");
    }

    @AfterEach
    void close() {
        server.close();
    }

    private Pulled join() throws IOException, TrainingFailedException {
        WorkerRegistration registration = new WorkerRegistration(
                ParameterServers.of(List.of(new PsClient(server.uri(), ClientOptions.DEFAULT))),
                PlainTraining.WORKER,
                PlainTraining.TRANSFER);
        registration.begin();
        exchange = PlainTraining.exchange(registration, NETWORK, () -> set(1, 2, 3, 4, 5));
        return exchange.pull();
    }

    private Pulled push() throws Exception {
        float[] gradient = {2, 4};
        return exchange.push(exchange.newest(), PlainTraining.mean(gradient, 8, 1), Optional.empty(), () -> false)
                .parameters();
    }

    private static TensorSet set(float... values) {
        return TensorSet.ofFloats(LAYOUT, values, Map.of("network", "tiny"));
    }

    private static float[] values(Pulled pulled) {
        return pulled.parameters().toFloats(pulled.parameters().layout());
    }

    @Test
    void shouldPullEverythingOnceAndThenExchangeTheHeadAlone() throws Exception {
        assertThat(values(join())).containsExactly(1, 2, 3, 4, 5);

        Pulled after = push();

        assertThat(after.parameters().layout()).isEqualTo(HEAD);
        assertThat(values(after)).containsExactly(3, 3);
        assertThat(server.pushes().get(0).tensors().layout()).isEqualTo(HEAD);
        assertThat(server.parameters().toFloats(LAYOUT)).containsExactly(1, 2, 3, 3, 3);
        assertThat(exchange.tally().bytes()).isEqualTo(LAYOUT.byteLength() + 2 * HEAD.byteLength());
    }

    @Test
    void shouldPullEverythingAgainInAnotherGeneration() throws Exception {
        join();
        Pulled before = push();
        server.nextIsFineAnd(() -> server.publish(new ParameterVersion("gen9", 3), set(-1, -2, -3, 6, 7)));

        Pulled after = push();

        assertThat(before.parameters().layout()).isEqualTo(HEAD);
        assertThat(values(after)).containsExactly(-1, -2, -3, 6, 7);
        assertThat(values(push())).containsExactly(5, 5);
    }

    @Test
    void shouldPutBackTheFrozenTensorsWithTheNewestHead() throws Exception {
        join();
        Pulled unused = push();
        server.next(PushFault.loseEverything());

        Pulled after = push();

        assertThat(values(after)).containsExactly(1, 2, 3, 3, 3);
        assertThat(server.parameters().metadata()).containsEntry("network", "tiny");
        assertThat(values(push())).containsExactly(2, 1);
    }

    @Test
    void shouldFailWhenTheServerFreezesOtherTensorsThanAtFirst() throws Exception {
        join();
        server.freeze("head");
        server.next(PushFault.forgetWorkers());

        assertThatThrownBy(this::push)
                .isInstanceOf(TrainingFailedException.class)
                .hasMessage(
                        "the server freezes 'head' now, and this worker began when it froze 'body': start the worker again");
    }

    @Test
    void shouldFailWhenTheNetworkDoesNotHaveTheFrozenTensors() {
        server.freeze("layer1.*");

        assertThatThrownBy(this::join)
                .isInstanceOf(TrainingFailedException.class)
                .hasMessage(
                        "the run's frozen tensors do not fit the network tiny: freeze: 'layer1.*' matches none of the 2 tensors: body, head");
    }
}
