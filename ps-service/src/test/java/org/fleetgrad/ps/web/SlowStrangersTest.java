package org.fleetgrad.ps.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.ps.RunningService;
import org.fleetgrad.ps.Tensors;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Clients that send or read slowly hold connections and bounded memory, and no thread. The server has eight threads here: each
 * of these crowds would have held all of them.
 */
@Timeout(120)
class SlowStrangersTest {

    private static final String FEW_THREADS = "server.jetty.threads.max=8";
    private static final int CROWD = 40;
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final float[] ONES = {1, 1, 1, 1, 1, 1};

    /** 8 MB: more than the sockets of both sides buffer. */
    private static final int LARGE = 2_000_000;

    @Test
    void shouldTakePushesWhileUnknownCallersSendHalfOfTheirBodies() throws Exception {
        try (SecuredService secured = SecuredService.start(FEW_THREADS).startingAt(0, 0, 0, 0, 0, 0);
                Crowd crowd = new Crowd(secured.service())) {
            String token = secured.register("a");
            crowd.join(
                    "POST /putGradient HTTP/1.1\r\nHost: a\r\nContent-Type: application/vnd.safetensors\r\nContent-Length: 9000\r\n\r\n12");
            crowd.join(
                    "POST /issueToken HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{\"ac");

            HttpResponse<byte[]> push = secured.service()
                    .send(SecuredService.with(token, secured.service().push("a", 1, 0, ONES)));

            assertThat(push.statusCode()).isEqualTo(200);
            assertThat(secured.service()
                            .send(secured.service().get("/actuator/health/liveness"))
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void shouldSayForHowManySecondsAClientWasSilent() throws Exception {
        try (SecuredService secured = SecuredService.start("server.jetty.connection-idle-timeout=1s")
                        .startingAt(0, 0, 0, 0, 0, 0);
                Crowd crowd = new Crowd(secured.service())) {
            String token = secured.register("a");
            Socket keys = crowd.one(
                    "POST /issueToken HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{\"ac");
            Socket gradient = crowd.one(
                    "POST /putGradient HTTP/1.1\r\nHost: a\r\nContent-Type: application/vnd.safetensors\r\nAuthorization: Bearer %s\r\nContent-Length: 900\r\n\r\n12"
                            .formatted(token));

            for (Socket silent : List.of(keys, gradient)) {
                assertThat(new String(silent.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                        .startsWith("HTTP/1.1 408 ")
                        .contains("application/problem+json", "\"urn:fleetgrad:problem:request-timeout\"")
                        .contains("\"nothing of the body came for 1 s\"");
            }
        }
    }

    @Test
    void shouldTakePushesWhileManyBodiesStopInTheMiddle() throws Exception {
        try (RunningService service = RunningService.start(FEW_THREADS)
                        .startingAt(0, 0, 0, 0, 0, 0)
                        .withWorkers("a");
                Crowd crowd = new Crowd(service)) {
            byte[] gradient = Tensors.gradient(Tensors.metadata("a", 1, service.generation(), 0), ONES);
            String half = new String(gradient, 0, gradient.length - 1, StandardCharsets.ISO_8859_1);
            crowd.join(
                    "POST /putGradient HTTP/1.1\r\nHost: a\r\nContent-Type: application/vnd.safetensors\r\nContent-Length: %d\r\n\r\n%s"
                            .formatted(gradient.length, half));
            crowd.join(
                    "POST /registerWorker HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{\"id");

            assertThat(service.send(service.push("a", 1, 0, ONES)).statusCode()).isEqualTo(200);
            assertThat(service.values()).containsOnly(-0.01f);
        }
    }

    @Test
    void shouldTakePushesWhileLargeGradientsDripThatWouldTakeAllTheMemory() throws Exception {
        // Two gradients of 8 MB fit.
        try (RunningService service =
                        RunningService.start(FEW_THREADS, "ps.max-pending=16MB").withWorkers("a");
                Crowd crowd = new Crowd(service)) {
            TensorLayout layout = putLarge(service);
            byte[] gradient = Tensors.file(layout, Tensors.metadata("a", 1, service.generation(), 0), new float[LARGE]);
            String dripping = new String(gradient, 0, 100_000, StandardCharsets.ISO_8859_1);
            crowd.join(
                    "POST /putGradient HTTP/1.1\r\nHost: a\r\nContent-Type: application/vnd.safetensors\r\nContent-Length: %d\r\n\r\n%s"
                            .formatted(gradient.length, dripping));

            for (int sequence = 1; sequence <= 3; sequence++) {
                push(service, layout, sequence);
            }
        }
    }

    @Test
    void shouldGoOnWhileSlowReadersHoldAllTheVersionsThatFitAndThenCutThemOff() throws Exception {
        try (RunningService service = RunningService.start(
                        FEW_THREADS,
                        "ps.snapshot-memory=50MB",
                        // A quarter of this grace period once readers are refused. Before, none may be disconnected.
                        "ps.slow-client.grace-period=20s",
                        "ps.slow-client.rate=100MB")
                .withWorkers("a")) {
            TensorLayout layout = putLarge(service);
            PublishedParameters published = service.bean(PublishedParameters.class);
            int steps = 0;
            try (Crowd crowd = new Crowd(service)) {
                // Each reader holds its own version, until readers are refused.
                while (!published.isAtCapacity() && steps < CROWD) {
                    Socket reader = crowd.one("GET /getParameter HTTP/1.1\r\nHost: a\r\n\r\n");
                    // From the first byte on it holds a version, or was refused.
                    assertThat(reader.getInputStream().read()).isEqualTo('H');
                    push(service, layout, ++steps);
                }
                for (int more = 0; more < 3; more++) {
                    push(service, layout, ++steps);
                }
                assertThat(service.version()).isEqualTo(steps);
                assertThat(published.memory().usedBytes()).isLessThanOrEqualTo(50L << 20);

                Awaitility.await().atMost(LONGEST).until(() -> published.alive() == 1);
            }
            assertThat(RunningService.decoded(service.send(service.get(Routes.GET_PARAMETER)))
                            .metadata())
                    .containsEntry("version", Integer.toString(steps));
        }
    }

    private static TensorLayout putLarge(RunningService service) {
        TensorLayout layout = TensorLayout.canonical(List.of(TensorSpec.f32("w", LARGE)));
        byte[] initial = Tensors.file(layout, Map.of("network", "fc"), new float[LARGE]);
        assertThat(service.send(service.tensors("PUT", Routes.PUT_PARAMETER, initial)
                                .header("If-None-Match", "*"))
                        .statusCode())
                .isEqualTo(201);
        return layout;
    }

    private static void push(RunningService service, TensorLayout layout, int sequence) {
        byte[] gradient = Tensors.file(
                layout, Tensors.metadata("a", sequence, service.generation(), sequence - 1), new float[LARGE]);
        HttpResponse<byte[]> reply = service.send(service.tensors("POST", Routes.PUT_GRADIENT, gradient));
        assertThat(reply.statusCode()).isEqualTo(200);
    }

    /** Connections that send the beginning of a request, then nothing, and read nothing. */
    private static final class Crowd implements AutoCloseable {

        private final List<Socket> members = new ArrayList<>();
        private final int port;

        Crowd(RunningService service) {
            this.port = service.uri("/").getPort();
        }

        void join(String beginning) throws IOException {
            for (int member = 0; member < CROWD; member++) {
                Socket unused = one(beginning);
            }
        }

        Socket one(String beginning) throws IOException {
            Socket socket = new Socket();
            members.add(socket);
            socket.setReceiveBufferSize(4096);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            OutputStream out = socket.getOutputStream();
            out.write(beginning.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            return socket;
        }

        @Override
        public void close() throws IOException {
            for (Socket member : members) {
                member.close();
            }
        }
    }
}
