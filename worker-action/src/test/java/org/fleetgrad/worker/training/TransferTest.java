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
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.worker.training.TrainingTask.Transfer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An exchange in other encodings than float32, or with overlap. */
class TransferTest {

    private static final TensorLayout LAYOUT =
            TensorLayout.canonical(List.of(TensorSpec.f32("w", 2), TensorSpec.f32("b", 1)));
    private static final float[] GRADIENT = {1, 2, 4};

    private final WarmState warm = new WarmState();
    private FakeParameterServer server;

    @SuppressWarnings("NullAway.Init")
    private WorkerRegistration registration;

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

    private void join(Transfer transfer) throws Exception {
        registration = new WorkerRegistration(
                ParameterServers.of(List.of(new PsClient(server.uri(), ClientOptions.DEFAULT))),
                PlainTraining.WORKER,
                transfer);
        registration.begin();
        NetworkSpec network =
                new NetworkSpec("tiny", new ImageClassification(List.of(1, 1, 1), 2), LAYOUT, ParameterState.NONE);
        exchange = new ParameterExchange(
                registration,
                network,
                FrozenTensors.NONE,
                () -> set(0, 0, 0),
                warm.channel(network, FrozenTensors.NONE, transfer.gradients(), 1));
        Pulled unused = exchange.pull();
    }

    private static TensorSet set(float... values) {
        return TensorSet.ofFloats(LAYOUT, values, Map.of("network", "tiny"));
    }

    private static float[] values(Pulled pulled) {
        return pulled.parameters().toFloats(LAYOUT);
    }

    private Pulled push() throws Exception {
        return exchange.push(exchange.newest(), PlainTraining.mean(GRADIENT, 64, 2), Optional.empty(), () -> false)
                .parameters();
    }

    private List<Long> sequences() {
        return server.pushes().stream().map(push -> push.metadata().sequence()).toList();
    }

    private static Transfer transfer(String gradients, String parameters) {
        return new Transfer(Encodings.parse(gradients), Encodings.parseOfParameters(parameters), false);
    }

    @Test
    void shouldSendGradientsAndTakeParametersAsAsked() throws Exception {
        server.start(0, set(1, 2, 3));
        join(transfer("topk:0.5", "f16"));
        push();
        Pulled last = push();

        assertThat(server.calls())
                .contains("GET /getParameter?encoding=f16", "POST /putGradient?pull=true&encoding=f16");
        // All of b, the larger half of w: the residual of the first push is sent with the second.
        assertThat(server.pushes().get(0).gradient(LAYOUT)).containsExactly(1, 0, 4);
        assertThat(server.pushes().get(1).gradient(LAYOUT)).containsExactly(1, 4, 0);
        assertThat(values(last)).containsExactly(0, 0, 1);
        assertThat(exchange.tally().bytes())
                .as("two pushes of 16 bytes, three pulls of 6")
                .isEqualTo(2 * 16 + 3 * 6);
    }

    @Test
    void shouldSendTheSameBytesAfterItRegisteredAgain() throws Exception {
        server.start(0, set(1, 2, 3)).next(PushFault.forgetWorkers()).nextIsFine();
        join(transfer("topk:0.5", "f32"));
        push();

        assertThat(server.pushes()).hasSize(2);
        assertThat(server.pushes().get(1).tensors().data())
                .isEqualTo(server.pushes().get(0).tensors().data());
        assertThat(sequences()).containsExactly(1L, 1L);
    }

    @Test
    void shouldGoOnWithWhatTheActivationBeforeLeftOut() throws Exception {
        server.start(0, set(1, 2, 3));
        join(transfer("topk:0.5", "f32"));
        push();
        registration.end();
        join(transfer("topk:0.5", "f32"));
        push();

        assertThat(server.pushes().get(1).gradient(LAYOUT)).containsExactly(1, 4, 0);
        registration.end();
        join(transfer("topk:0.4", "f32"));
        push();

        assertThat(server.pushes().get(2).gradient(LAYOUT)).containsExactly(1, 0, 4);
    }

    @Test
    void shouldLeaveNoTraceOfADroppedGradientInWhatIsLeftOut() throws Exception {
        server.start(0, set(1, 2, 3)).nextIsFine().next(PushFault.stale()).nextIsFine();
        join(transfer("topk:0.5", "f32"));
        push();
        push();
        push();

        assertThat(server.pushes().get(2).gradient(LAYOUT))
                .containsExactly(server.pushes().get(1).gradient(LAYOUT));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "f16 f32|the server takes gradients as f32; encoding is 'f16': write one of these",
                "f32 bf16|the server gives parameters as f32; pull_encoding is 'bf16': write one of these"
            })
    void shouldFailAtItsBeginningWhereTheServerKnowsOtherEncodings(String given) {
        String[] parts = given.split("\\|");
        String[] encodings = parts[0].split(" ");
        server.start(0, set(1, 2, 3)).knowOnlyFloat32();

        assertThatThrownBy(() -> join(transfer(encodings[0], encodings[1])))
                .isInstanceOf(TrainingFailedException.class)
                .hasMessage(parts[1]);
    }

    @Test
    void shouldFailWhenAGradientThatIsNotFiniteCannotTravel() throws Exception {
        server.start(0, set(1, 2, 3));
        join(transfer("2bit", "f32"));

        assertThatThrownBy(() -> exchange.push(
                        exchange.newest(),
                        PlainTraining.mean(new float[] {1, Float.NaN, 2}, 64, 2),
                        Optional.empty(),
                        () -> false))
                .isInstanceOf(TrainingFailedException.class)
                .hasMessage("gradient 1 cannot be pushed: value 0 of 2 of tensor 'w' is NaN, which does not travel as"
                        + " 2bit:0.01; training has diverged, try a smaller learning rate");
    }

    @Test
    void shouldNotOverlapWhereOnlyTheNewestVersionCounts() {
        server.start(0, set(1, 2, 3)).trainSynchronously();

        assertThatThrownBy(() -> join(new Transfer(Encodings.PLAIN, Encodings.PLAIN, true)))
                .isInstanceOf(TrainingFailedException.class)
                .hasMessage(
                        "the run is synchronous: it takes gradients on the newest version only, and with overlap none is; leave overlap out, or train async or ssp");
    }
}
