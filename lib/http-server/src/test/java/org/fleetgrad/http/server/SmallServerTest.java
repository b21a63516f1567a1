package org.fleetgrad.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.access.ReaderKeys;
import org.fleetgrad.protocol.ProblemKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A small server, clients that are slow, and one that is not. */
@Timeout(120)
class SmallServerTest {

    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final int PATIENCE_SECONDS = 60;
    private static final int STRANGERS = 40;
    private static final String HEAD = "POST /predict HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<Socket> sockets = new ArrayList<>();
    private final CountDownLatch isAnswering = new CountDownLatch(1);
    private final CountDownLatch mayAnswer = new CountDownLatch(1);
    private Optional<SmallServer> server = Optional.empty();
    private Map<String, String> keys = Map.of();

    private void start(SmallLimits limits) throws IOException {
        SmallServer made = new SmallServer(
                "test",
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new ReaderKeys("X_", keys).issuer(Clock.systemUTC()),
                limits,
                this::answer,
                System.err);
        server = Optional.of(made);
        made.start();
    }

    private Reply answer(BufferedRequest question) throws IOException {
        return switch (question.path()) {
            case "/predict" -> Reply.json(Map.of("bytes", question.body().length));
            case "/status" -> Reply.json(Map.of("code", 200));
            // More than the buffers of two sockets hold.
            case "/large" -> new Reply(200, Map.of(), new byte[64 << 20]);
            case "/slow" -> waited();
            default -> throw new IllegalStateException(question.path());
        };
    }

    private Reply waited() {
        isAnswering.countDown();
        try {
            assertThat(mayAnswer.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            return Reply.json(Map.of("code", 200));
        } catch (InterruptedException interrupted) {
            return Reply.problem(ProblemKind.INTERNAL, "the answering thread was interrupted");
        }
    }

    @AfterEach
    void close() throws IOException {
        mayAnswer.countDown();
        for (Socket socket : sockets) {
            socket.close();
        }
        server.ifPresent(SmallServer::close);
    }

    private static SmallLimits limits(int working, int waiting, Duration timeout) {
        return new SmallLimits(working, waiting, timeout, Duration.ofMillis(100), 1 << 20);
    }

    private int port() {
        return server.orElseThrow().address().getPort();
    }

    private Socket open(String text) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
        sockets.add(socket);
        socket.setSoTimeout(PATIENCE_SECONDS * 1000);
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port(), path)))
                .timeout(Duration.ofSeconds(PATIENCE_SECONDS));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private interface Crowd {
        void come() throws IOException;
    }

    /**
     * Sends a request behind a crowd until it is answered. The server ends what has waited for 100 ms, which without a processor is an
     * honest request, too.
     */
    private HttpResponse<String> answered(HttpRequest.Builder request, Crowd crowd)
            throws IOException, InterruptedException {
        while (true) {
            crowd.come();
            try {
                return send(request);
            } catch (HttpTimeoutException unanswered) {
                throw unanswered;
            } catch (IOException ended) {
                // Once more, behind as many.
            }
        }
    }

    /** Reads until the server ends the connection. */
    private static void awaitEnd(Socket socket) throws IOException {
        try {
            while (socket.getInputStream().read() >= 0) {
                // Nothing of an answer is expected.
            }
        } catch (SocketException reset) {
            // As much an end.
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST /pre", HEAD, HEAD + "\r\nhalf"})
    void shouldAnswerWhileMoreClientsThanThereAreThreadsStopInTheMiddle(String half) throws Exception {
        start(limits(2, 4, LONG));
        HttpRequest.Builder whole = request("/predict").POST(HttpRequest.BodyPublishers.ofString("whole"));

        HttpResponse<String> answer = answered(whole, () -> {
            for (int i = 0; i < STRANGERS; i++) {
                open(half);
            }
        });

        assertThat(answer.body()).isEqualTo("{\"bytes\":5}");
    }

    @Test
    void shouldEndAConnectionThatSendsAByteNowAndThen() throws Exception {
        start(limits(1, 1, SHORT));
        Socket slow = open(HEAD + "\r\n");
        // Each byte comes in time for a rule that looks at the last byte only.
        ScheduledExecutorService drip = Executors.newSingleThreadScheduledExecutor();
        try {
            ScheduledFuture<?> unused =
                    drip.scheduleWithFixedDelay(() -> sendByte(slow), 0, SHORT.toMillis() / 4, TimeUnit.MILLISECONDS);

            awaitEnd(slow);
        } finally {
            drip.shutdownNow();
        }
    }

    private static void sendByte(Socket socket) {
        try {
            socket.getOutputStream().write(' ');
        } catch (IOException ended) {
            throw new UncheckedIOException(ended);
        }
    }

    @Test
    void shouldAnswerOthersWhileAClientDoesNotReadItsAnswer() throws Exception {
        start(limits(1, 0, SHORT));

        HttpResponse<String> answer =
                answered(request("/status"), () -> open("GET /large HTTP/1.1\r\nHost: x\r\n\r\n"));

        assertThat(answer.statusCode()).isEqualTo(200);
    }

    @Test
    void shouldNotEndARequestThatTheServerItselfIsSlowToAnswer() throws Exception {
        start(limits(1, 1, SHORT));
        CompletableFuture<HttpResponse<String>> slow =
                client.sendAsync(request("/slow").build(), HttpResponse.BodyHandlers.ofString());
        assertThat(isAnswering.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        // Ends after the timeout: by then the other request has waited for as long.
        awaitEnd(open(HEAD + "\r\nhalf"));
        awaitEnd(open(HEAD + "\r\nhalf"));

        mayAnswer.countDown();

        assertThat(slow.get(PATIENCE_SECONDS, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
    }

    @Test
    void shouldRefuseABodyThatIsTooLarge() throws Exception {
        start(SmallLimits.defaults(2));

        HttpResponse<String> response =
                send(request("/predict").POST(HttpRequest.BodyPublishers.ofByteArray(new byte[(1 << 20) + 1])));

        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(response.body()).contains("the body has more bytes than the limit of 1048576");
    }

    @Test
    void shouldAskForATokenIfItHasKeys() throws Exception {
        keys = Map.of("X_ACCESS_KEY", "reader", "X_SECRET_KEY", "secret-of-reader");
        start(SmallLimits.defaults(2));

        HttpResponse<String> stranger = send(request("/status"));
        HttpResponse<String> wrong = send(token("another-secret"));
        String right = send(token("secret-of-reader")).body();
        String token = right.replaceAll("(?s).*\"token\":\"([^\"]+)\".*", "$1");

        assertThat(stranger.statusCode()).isEqualTo(401);
        assertThat(stranger.headers().firstValue("WWW-Authenticate")).contains("Bearer realm=\"fleetgrad\"");
        assertThat(stranger.body()).contains("urn:fleetgrad:problem:unauthenticated");
        assertThat(wrong.statusCode()).isEqualTo(401);
        assertThat(wrong.body()).doesNotContain("another-secret");
        assertThat(right).contains("\"role\":\"reader\"");
        assertThat(send(request("/status").header("Authorization", "Bearer " + token))
                        .statusCode())
                .isEqualTo(200);
        assertThat(send(request("/large").header("Authorization", "Bearer " + token))
                        .statusCode())
                .as("what is not a reader's")
                .isEqualTo(403);
        assertThat(send(request("/issueToken").POST(HttpRequest.BodyPublishers.ofString("{")))
                        .statusCode())
                .isEqualTo(400);
    }

    private HttpRequest.Builder token(String secret) {
        return request("/issueToken")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"accessKey\":\"reader\",\"secretKey\":\"%s\"}".formatted(secret)));
    }

    @Test
    void shouldSayThatItHasNoKeys() throws Exception {
        start(SmallLimits.defaults(2));

        HttpResponse<String> response = send(token("secret-of-reader"));

        assertThat(response.statusCode()).isEqualTo(409);
        assertThat(response.body()).contains("security-off");
    }
}
