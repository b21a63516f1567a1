package org.fleetgrad.inference.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import org.fleetgrad.openinference.ModelInferRequest;
import org.fleetgrad.web.StartRefusedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The port without a model, and clients that mean ill. */
class GrpcServerTest {

    private static final Duration AWAITED = Duration.ofSeconds(60);
    private static final int WINDOW = 65_535;
    private static final byte[] EMPTY = {};

    private final ServerWithoutModel port = new ServerWithoutModel();
    private final GrpcServer server = port.server();
    private final GrpcCalls calls = port.calls();
    private final Connections connections = port.connections();

    /** Without Spring nobody has said that Netty writes no frame into the log. */
    @BeforeAll
    static void quiet() {
        ServerWithoutModel.quiet();
    }

    @BeforeEach
    void start() {
        server.start();
    }

    @AfterEach
    void stop() {
        port.close();
    }

    private static byte[] request(String id) {
        return ModelInferRequest.newBuilder().setId(id).build().toByteArray();
    }

    @Test
    void shouldAnswerAndCount() throws Exception {
        try (RawStreams client = new RawStreams(server.port(), WINDOW)) {
            byte[] request = request("5");
            client.call(1, "ModelInfer");
            client.message(1, request.length, request, true);

            assertThat(client.end(1)).isEqualTo("0 null");
        }
        await().atMost(AWAITED).until(() -> calls.size() == 0 && connections.size() == 0);
        assertThat(port.metrics()
                        .get("inference.grpc.calls")
                        .tags("method", "ModelInfer", "status", "OK")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void shouldRefuseAMessageOf900MegabytesAtItsHead() throws Exception {
        try (RawStreams client = new RawStreams(server.port(), WINDOW)) {
            client.call(1, "ModelInfer");
            client.message(1, 900_000_000, new byte[10], false);

            assertThat(client.end(1)).startsWith("8 ").contains("900000000", "1048576");
        }
    }

    @Test
    void shouldRefuseWhatIsNoMessageAndMoreThanOne() throws Exception {
        try (RawStreams client = new RawStreams(server.port(), WINDOW)) {
            client.call(1, "ModelInfer");
            client.message(1, 3, new byte[] {(byte) 0xff, (byte) 0xff, (byte) 0xff}, true);
            assertThat(client.end(1)).startsWith("3 the 3 bytes of the message are no request of ModelInfer: ");

            client.call(3, "ModelInfer");
            client.frame(RawStreams.DATA, RawStreams.END_STREAM, 3, EMPTY);
            assertThat(client.end(3)).isEqualTo("3 the call has no message");

            client.call(5, "ModelInfer");
            client.message(5, 0, EMPTY, false);
            client.message(5, 0, EMPTY, true);
            assertThat(client.end(5)).isEqualTo("3 the call has more than 1 message");

            client.call(7, "ModelStreamInfer");
            client.message(7, 0, EMPTY, true);
            assertThat(client.end(7)).startsWith("12 ");
        }
    }

    /** Anybody may call it, so nothing of it is awaited. */
    @Test
    void shouldAnswerAnOpenMethodWithoutItsMessage() throws Exception {
        try (RawStreams client = new RawStreams(server.port(), WINDOW)) {
            client.call(1, "ServerLive");

            assertThat(client.end(1)).isEqualTo("0 null");
            assertThat(calls.size()).isZero();
        }
    }

    @Test
    void shouldRefuseASlowClientWhenItsTimeIsOver() throws Exception {
        try (RawStreams client = new RawStreams(server.port(), WINDOW)) {
            client.call(1, "ModelInfer");
            client.message(1, 1_000, new byte[10], false);
            await().atMost(AWAITED).until(() -> calls.size() == 1);

            port.passPatience();

            assertThat(client.end(1)).isEqualTo("4 the message did not end within 30 s");
        }
        await().atMost(AWAITED).until(() -> calls.size() == 0);
    }

    @Test
    void shouldSurviveABrokenCompression() throws Exception {
        try (RawStreams client = new RawStreams(server.port(), WINDOW)) {
            client.compressedCall(1, "ModelInfer");
            client.frame(RawStreams.DATA, RawStreams.END_STREAM, 1, new byte[] {1, 0, 0, 0, 3, 1, 2, 3});

            assertThat(client.end(1)).startsWith("2 ");
        }
        await().atMost(AWAITED).until(() -> calls.size() == 0 && port.memory().reserved() == 0);
    }

    /** Its window lets the server send 100 bytes of an answer of 100,000. */
    @Test
    void shouldDisconnectAClientThatDoesNotTakeItsAnswer() throws Exception {
        try (RawStreams client = new RawStreams(server.port(), 100)) {
            byte[] request = request("100000");
            client.call(1, "ModelInfer");
            client.message(1, request.length, request, true);
            assertThat(client.next().type()).isEqualTo(RawStreams.HEADERS);
            assertThat(client.next().content()).hasSize(100);
            await().atMost(AWAITED)
                    .until(() -> port.metrics().find("inference.grpc.calls").timer() != null);

            port.passPatience();

            assertThat(client.end(1)).isEqualTo("closed");
        }
        await().atMost(AWAITED).until(() -> calls.size() == 0 && connections.size() == 0);
    }

    /** The server says that a connection has 128 calls; this client does not care. */
    @Test
    void shouldKeepFewOfTenThousandCallsUnderWay() throws Exception {
        try (RawStreams client = new RawStreams(server.port(), WINDOW);
                RawStreams other = new RawStreams(server.port(), WINDOW)) {
            Thread reading = new Thread(() -> readAll(client));
            reading.start();
            int most = 0;
            try {
                for (int i = 0; i < 10_000; i++) {
                    client.call(2 * i + 1, "ModelInfer");
                    most = Math.max(most, calls.size());
                }
            } catch (SocketException disconnected) {
                // As a client of this kind deserves.
            }
            await().atMost(AWAITED).until(() -> calls.size() == ServerWithoutModel.CALLS || connections.size() == 1);
            assertThat(most).isLessThanOrEqualTo(ServerWithoutModel.CALLS);

            other.call(1, "ServerLive");
            assertThat(other.end(1)).as("probes are answered meanwhile").isEqualTo("0 null");
            client.end();
            reading.join();
        }
        await().atMost(AWAITED).until(() -> calls.size() == 0);
    }

    private static void readAll(RawStreams client) {
        try {
            while (client.next().type() != RawStreams.GOAWAY) {
                // Otherwise the server's answers would fill the buffers of both.
            }
        } catch (IOException closed) {
            // As the test ends it.
        }
    }

    @Test
    void shouldRefuseMoreCallsThanThereMayBeAndSayWhenToRetry() throws Exception {
        try (RawStreams client = new RawStreams(server.port(), WINDOW)) {
            byte[] request = request("wait");
            for (int i = 0; i < ServerWithoutModel.CALLS; i++) {
                client.call(2 * i + 1, "ModelInfer");
                client.message(2 * i + 1, request.length, request, true);
            }
            await().atMost(AWAITED).until(() -> calls.size() == ServerWithoutModel.CALLS);

            client.call(99, "ModelInfer");
            RawStreams.Frame answer = client.next();
            assertThat(client.headers(answer).get("retry-after")).hasToString("1");
            assertThat(answer.stream()).isEqualTo(99);

            port.release();
            assertThat(client.end(1)).isEqualTo("0 null");
        }
    }

    @Test
    void shouldCloseConnectionsBeyondTheMost() throws Exception {
        try (RawStreams first = new RawStreams(server.port(), WINDOW);
                RawStreams second = new RawStreams(server.port(), WINDOW);
                RawStreams third = new RawStreams(server.port(), WINDOW)) {
            for (RawStreams client : new RawStreams[] {first, second, third}) {
                client.call(1, "ServerLive");
                assertThat(client.end(1)).isEqualTo("0 null");
            }
            assertThat(connections.size()).isEqualTo(ServerWithoutModel.CONNECTIONS);
            try (Socket fourth = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                assertThat(isClosed(fourth.getInputStream())).isTrue();
            }
        }
        await().atMost(AWAITED).until(() -> connections.size() == 0);
    }

    private static boolean isClosed(InputStream in) throws IOException {
        try {
            return in.read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    @Test
    void shouldSayWhyAPortCannotBeOpened() {
        GrpcServer second = port.another();

        assertThatThrownBy(second::start)
                .isInstanceOf(StartRefusedException.class)
                .hasMessageStartingWith("inference.grpc-port cannot be opened: ");
        assertThat(second.isRunning()).isFalse();
    }
}
