package org.fleetgrad.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.client.internal.http.Transport;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.ParameterMessages.PushReply;
import org.fleetgrad.protocol.messages.ParameterMessages.VersionReply;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConnectionsTest {

    /** 32 MB: many times any buffer on the way. */
    private static final TensorLayout BIG = TensorLayout.canonical(List.of(TensorSpec.f32("w", 8_000_000)));

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final TensorLayout SMALL = TensorLayout.canonical(List.of(TensorSpec.f32("w", 3)));
    private static final ParameterVersion VERSION = new ParameterVersion("g", 7);

    private ScriptedServer server;
    private PsClient client;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer(0);
        client = new PsClient(server.uri(), new ClientOptions(TIMEOUT, TIMEOUT, Duration.ZERO, Integer.MAX_VALUE));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void shouldUseOneConnectionForManyCallsWhateverTheyAreAnswered() throws IOException {
        for (int i = 0; i < 20; i++) {
            server.then(Reply.json(200, new VersionReply(200, i, null, null, null, null, "g", true)))
                    .then(Reply.problem(409, "stale-gradient"))
                    .then(Reply.bytes(304, Map.of(), new byte[0]))
                    .then(Reply.parameters(VERSION, SMALL, new float[3]))
                    .then(Reply.problem(404, "no-parameters"));
            client.version();
            push(SMALL, new float[3]);
            client.pullOtherThan(VERSION, Duration.ZERO);
            client.pull();
            client.pull();
        }

        assertThat(server.received()).hasSize(100);
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void shouldCloseIdleConnectionsAndOpenAnotherForTheNextCall() throws IOException {
        for (int i = 0; i < 2; i++) {
            server.then(Reply.json(200, new VersionReply(200, i, null, null, null, null, "g", true)));
            client.as("w").version();
            client.closeIdle();
        }

        assertThat(server.connections()).isEqualTo(2);
    }

    @Test
    void shouldCarryBigBodiesBothWays() throws Exception {
        float[] values = new float[8_000_000];
        Random random = new Random(1);
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextFloat();
        }
        server.then(Reply.parameters(VERSION, BIG, values))
                .then(Reply.json(200, new PushReply(200, "applied", 8, 0, false, null)));

        assertThat(client.pull())
                .isInstanceOfSatisfying(
                        Pulled.class,
                        pulled -> assertThat(pulled.parameters().toFloats(BIG)).isEqualTo(values));
        push(BIG, values);

        ByteBuffer sent = server.last().body();
        assertThat(Safetensors.decode(sent).toFloats(BIG)).isEqualTo(values);
        assertThat(server.last().header("Content-Length")).isEqualTo(Integer.toString(sent.remaining()));
    }

    @Test
    void shouldLetTheServerBeSilentForAsLongAsALongPollMayLast() throws IOException {
        List<Duration> silences = new ArrayList<>();
        Transport transport = request -> {
            silences.add(request.silence());
            return new Transport.Response(304, Map.of(), ByteBuffer.allocate(0));
        };
        Exchange exchange = new Exchange(server.uri(), transport, Duration.ZERO, new ManualClock(), pause -> {});
        PsClient patient = new PsClient(server.uri(), exchange);

        patient.pullOtherThan(VERSION, Duration.ofSeconds(20));
        patient.pullOtherThan(VERSION, Duration.ZERO);

        assertThat(silences).containsExactly(Duration.ofSeconds(20), Duration.ZERO);
    }

    @Test
    void shouldGiveUpOnServerThatIsSilentForLonger() throws IOException {
        ClientOptions impatient = new ClientOptions(TIMEOUT, Duration.ofMillis(100), Duration.ZERO, 1000);
        // Connections are taken by the operating system; nobody ever reads them.
        try (ServerSocket deaf = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            PsClient waiting = new PsClient(URI.create("http://127.0.0.1:" + deaf.getLocalPort()), impatient);

            assertThatThrownBy(waiting::version)
                    .isInstanceOf(ServerUnavailableException.class)
                    .hasMessageEndingWith("nothing came for more than 100 ms");
        }
    }

    private void push(TensorLayout layout, float[] gradient) throws IOException {
        client.push(new GradientMetadata("w", 1, "g", 7, 1, 0), layout, gradient, false);
    }
}
