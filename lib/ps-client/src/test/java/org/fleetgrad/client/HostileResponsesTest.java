package org.fleetgrad.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Responses that no parameter server sends, but a proxy, a bug or a broken connection may cause. */
class HostileResponsesTest {

    private static final TensorLayout LAYOUT = TensorLayout.canonical(List.of(TensorSpec.f32("w", 2)));
    private static final ParameterVersion VERSION = new ParameterVersion("g", 7);

    private ScriptedServer server;
    private PsClient client;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer(0);
        client = client(server.uri(), 1000);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void shouldShowThePageOfProxy() {
        server.then(Reply.text(502, "text/html", "<html>" + "x".repeat(300) + "</html>"));

        assertThatThrownBy(client::version)
                .isInstanceOfSatisfying(ProblemException.class, failure -> {
                    assertThat(failure.problem().status()).isEqualTo(502);
                    assertThat(failure.problem().rule()).isEmpty();
                })
                .hasMessage("GET /getVersion: 502 <html>" + "x".repeat(194) + "…");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "<html>  | GET /getVersion answered something other than a VersionReply: ",
                "{\"code | GET /getVersion answered something other than a VersionReply: ",
                "[]      | GET /getVersion answered something other than a VersionReply: ",
                "{\"version\":\"x\"} | GET /getVersion answered something other than a VersionReply: ",
                "null    | GET /getVersion answered null instead of a VersionReply",
                "{}      | GET /getVersion answered something other than a VersionReply: ",
                "{\"code\":200,\"version\":7,\"initialized\":true} | GET /getVersion answered a VersionReply without 'generation'"
            })
    void shouldRefuseSuccessThatIsNotTheReply(String body, String message) {
        server.then(Reply.text(200, "application/json", body));

        assertThatThrownBy(client::version).isInstanceOf(IOException.class).hasMessageStartingWith(message);
    }

    @Test
    void shouldPassOverMembersThatItDoesNotKnow() throws IOException {
        server.then(Reply.text(
                200,
                "application/json",
                "{\"code\":200,\"version\":7,\"generation\":\"g\",\"initialized\":true,\"fromTheFuture\":[1]}"));

        assertThat(client.version().version()).isEqualTo(7);
    }

    @Test
    void shouldRefuseParameterSetThatIsMalformed() {
        server.then(Reply.text(200, HeaderNames.SAFETENSORS, "not safetensors at all"));

        assertThatThrownBy(client::pull)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("GET /getParameter answered a malformed parameter set: the header states ");
    }

    @Test
    void shouldRefuseParameterSetWithoutVersion() {
        ByteBuffer bare = Safetensors.encode(TensorSet.ofFloats(LAYOUT, new float[2], Map.of("version", "7")));
        server.then(new Reply(200, Map.of("Content-Type", HeaderNames.SAFETENSORS), bare, bare.remaining()));

        assertThatThrownBy(client::pull)
                .hasMessage("GET /getParameter answered a parameter set without generation and version: {version=7}");
    }

    @Test
    void shouldRefuseLocalStepsWithoutAnOptimizer() {
        server.then(Reply.text(
                200,
                "application/json",
                "{\"code\":200,\"id\":\"w\",\"leaseMs\":1000,\"generation\":\"g\",\"version\":1,\"sequence\":0,\"workerMomentum\":0,\"synchronous\":false,"
                        + "\"localSteps\":{\"steps\":3,\"learningRate\":0.1}}"));

        assertThatThrownBy(() -> client.register(new RegisterWorkerRequest("w", null, null, null)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("POST /registerWorker answered something other than a RegisterWorkerReply: ");
    }

    @Test
    void shouldNotTakeTruncatedBodyForWhole() {
        Reply whole = Reply.parameters(VERSION, LAYOUT, new float[2]);
        server.then(whole.stating(whole.statedLength() + 10));

        assertThatThrownBy(client::pull)
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessageEndingWith(
                        "the answer ended after %d of %d bytes", whole.statedLength(), whole.statedLength() + 10);
    }

    @Test
    void shouldRefuseBodyLargerThanAccepted() {
        server.then(Reply.bytes(200, Map.of(), new byte[1001]))
                .then(Reply.bytes(200, Map.of(), new byte[1001]).stating(Reply.CHUNKED));

        assertThatThrownBy(client::pull).hasMessage("the answer has 1001 bytes, accepted are 1000");
        assertThatThrownBy(client::pull).hasMessage("the answer has more than the 1000 bytes that are accepted");
    }

    @Test
    void shouldAcceptBodyInChunksUpToTheLimit() throws IOException {
        Reply parameters = Reply.parameters(VERSION, LAYOUT, new float[2]);
        server.then(parameters.stating(Reply.CHUNKED));

        assertThat(client(server.uri(), parameters.body().remaining()).pull()).isInstanceOf(PullResult.Pulled.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "exploded | 8    | 0    | POST /putGradient?pull=true answered the unknown outcome 'exploded'",
                "none     | 8    | 0    | POST /putGradient?pull=true answered the unknown outcome ''",
                "applied  | last | 0    | POST /putGradient?pull=true answered 'last' for the header X-Version",
                "applied  | 8    | none | POST /putGradient?pull=true answered '' for the header X-Staleness"
            })
    void shouldRefusePushAnswerOfUnknownForm(String outcome, String version, String staleness, String message) {
        Map<String, String> headers = new LinkedHashMap<>(Map.of(HeaderNames.VERSION, version));
        if (outcome != null) {
            headers.put(HeaderNames.OUTCOME, outcome);
        }
        if (staleness != null) {
            headers.put(HeaderNames.STALENESS, staleness);
        }
        server.then(Reply.parameters(VERSION, LAYOUT, new float[2]).with(headers));

        assertThatThrownBy(() -> push(true)).isInstanceOf(IOException.class).hasMessage(message);
    }

    @Test
    void shouldRefuseUnknownOutcomeInJson() {
        server.then(Reply.text(
                200,
                "application/json",
                "{\"code\":200,\"outcome\":\"exploded\",\"version\":8,\"staleness\":0,\"awaitNext\":false}"));

        assertThatThrownBy(() -> push(false)).hasMessage("POST /putGradient answered the unknown outcome 'exploded'");
    }

    @Test
    void shouldFailPushThatTheContractHasNoResultFor() {
        server.then(Reply.text(401, "text/plain", "who are you?")).then(Reply.text(403, "text/plain", "not you"));

        assertThatThrownBy(() -> push(false))
                .isInstanceOf(ProblemException.class)
                .hasMessage("POST /putGradient: 401 who are you?");
        assertThatThrownBy(() -> push(false))
                .isInstanceOf(ProblemException.class)
                .hasMessage("POST /putGradient: 403 not you");
    }

    @Test
    void shouldNotWaitForBodyOf304ThatStatesItsLength() throws Exception {
        assertThat(pullRaw("HTTP/1.1 304 Not Modified\r\nETag: \"g-7\"\r\nContent-Length: 5000\r\n\r\n"))
                .isEqualTo(new PullResult.NotModified());
    }

    @Test
    void shouldRefuseAnswerThatIsNotHttp() {
        assertThatThrownBy(() -> pullRaw("+OK Dovecot ready.\r\n\r\n"))
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessageMatching("GET http://127.0.0.1:\\d+/getParameter.* failed at try 1, after \\d+ ms: .*");
    }

    @Test
    void shouldNotFollowRedirect() {
        server.then(Reply.text(302, "text/plain", "elsewhere").with(Map.of("Location", "http://127.0.0.1:1/")));

        assertThatThrownBy(() -> client.register(new RegisterWorkerRequest("w", null, null, null)))
                .isInstanceOf(ProblemException.class)
                .hasMessage("POST /registerWorker: 302 elsewhere");
    }

    /** Pulls from a server that sends these bytes for any request, and keeps the connection open. */
    private static PullResult pullRaw(String answer) throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread thread = new Thread(() -> answerRaw(listener, answer));
            thread.setDaemon(true);
            thread.start();
            return client(URI.create("http://127.0.0.1:" + listener.getLocalPort()), 10_000)
                    .pullOtherThan(VERSION, Duration.ZERO);
        }
    }

    private static void answerRaw(ServerSocket listener, String answer) {
        while (true) {
            try (Socket socket = listener.accept()) {
                InputStream in = socket.getInputStream();
                String request = "";
                while (!request.endsWith("\r\n\r\n")) {
                    request += (char) in.read();
                }
                socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                socket.getOutputStream().flush();
                // The client hangs up when the test is over.
                in.read();
            } catch (IOException over) {
                return;
            }
        }
    }

    private PushResult push(boolean pull) throws IOException {
        return client.push(new GradientMetadata("w", 1, "g", 7, 1, 0), LAYOUT, new float[2], pull);
    }

    private static PsClient client(URI uri, long maxResponseBytes) {
        return new PsClient(
                uri,
                new ClientOptions(Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ZERO, maxResponseBytes));
    }
}
