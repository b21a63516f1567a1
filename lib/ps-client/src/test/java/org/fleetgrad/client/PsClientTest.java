package org.fleetgrad.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.ParameterMessages.PushReply;
import org.fleetgrad.protocol.messages.ParameterMessages.PutParameterReply;
import org.fleetgrad.protocol.messages.ParameterMessages.VersionReply;
import org.fleetgrad.protocol.messages.RunMessages.AccuracyReply;
import org.fleetgrad.protocol.messages.RunMessages.PutAccuracyRequest;
import org.fleetgrad.protocol.messages.RunMessages.PutBestReply;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.protocol.messages.TextFigures;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerReply;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.messages.WorkerMessages.UnregisterWorkerReply;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.testing.OpenApiContract;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each call against a server that follows the contract: both sides of every exchange are checked against it. */
class PsClientTest {

    private static final OpenApiContract CONTRACT = OpenApiContract.load();
    private static final TensorLayout LAYOUT =
            TensorLayout.canonical(List.of(TensorSpec.f32("b", 1), TensorSpec.f32("a", 2)));
    private static final float[] VALUES = {1, -2.5f, 3};
    private static final ParameterVersion VERSION = new ParameterVersion("g", 7);
    private static final GradientMetadata METADATA = new GradientMetadata("w", 3, "g", 6, 32, 0.5);

    private ScriptedServer server;
    private PsClient client;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer(0);
        client = new PsClient(server.uri(), ClientOptions.DEFAULT.withRetryFor(Duration.ZERO));
    }

    @AfterEach
    void stopAndCheckContract() {
        server.close();
        server.check(CONTRACT);
    }

    @Test
    void shouldRegister() throws IOException {
        RegisterWorkerReply granted = Reply.lease("w", 30_000, 7, 2, null);
        server.then(Reply.json(200, granted));

        assertThat(client.register(new RegisterWorkerRequest("w", "a test", 99L, "cpu")))
                .isEqualTo(granted);
        assertThat(server.last().uri()).isEqualTo(URI.create("/registerWorker"));
        assertThat(server.last().text()).contains("\"id\":\"w\"", "\"deadline\":99");
    }

    @Test
    void shouldLeaveOutWhatTheWorkerDoesNotSay() throws IOException {
        server.then(Reply.json(200, Reply.lease("drawn", 1, 0, 0, null)));

        client.register(new RegisterWorkerRequest(null, null, null, null));

        assertThat(server.last().text()).isEqualTo("{}");
    }

    @Test
    void shouldFailWithTheProblemWhenTheWorkerExists() {
        server.then(Reply.problem(409, "worker-exists"));

        assertThatThrownBy(() -> client.register(new RegisterWorkerRequest("w", null, null, null)))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        failure -> assertThat(failure.problem().rule()).isEqualTo("worker-exists"))
                .hasMessage("POST /registerWorker: 409 the numbers");
    }

    @Test
    void shouldUnregister() throws IOException {
        server.then(Reply.json(200, new UnregisterWorkerReply(200, "w")));

        assertThat(client.unregister("w").id()).isEqualTo("w");
        assertThat(server.last().text()).isEqualTo("{\"id\":\"w\"}");
    }

    @Test
    void shouldSendTheParametersOfTheBestVersionIfTheServerAsks() throws IOException {
        Pulled evaluated = new Pulled(
                new ParameterVersion("g&h", 7),
                TensorSet.ofFloats(
                        TensorLayout.canonical(List.of(TensorSpec.f32("w", 2))), new float[] {1, 2}, Map.of()));
        PutAccuracyRequest report = new PutAccuracyRequest("g&h", 7L, 0.5, null, null, null, null, null, null, 100L);
        server.then(Reply.json(200, accuracy(false)));
        client.putAccuracy(report, evaluated);
        assertThat(server.last().uri()).hasToString("/putAccuracy");

        server.then(Reply.json(200, accuracy(true)));
        server.then(Reply.json(200, new PutBestReply(200, "g&h", 7, true)));
        client.putAccuracy(report, evaluated);

        assertThat(server.last().uri()).hasToString("/putBest?generation=g%26h&version=7");
        assertThat(server.last().body()).isEqualTo(Safetensors.encode(evaluated.parameters()));
    }

    private static AccuracyReply accuracy(boolean isWanted) {
        return new AccuracyReply(200, 0.5, null, null, null, null, null, null, 7L, 100L, "g&h", 0.5, isWanted);
    }

    @Test
    void shouldAskForNumbers() throws IOException {
        VersionReply version = new VersionReply(200, 7, null, null, null, null, "g", true);
        AccuracyReply accuracy = new AccuracyReply(
                200, 0.5, 0.9, 1.5, new TextFigures(64, 2.5), null, null, null, 7L, 100L, "g", 0.75, null);
        StatusReply status = new StatusReply(
                200,
                "g",
                7,
                true,
                2,
                3,
                "async",
                false,
                "sgd",
                "none",
                "none",
                0.1,
                64,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                0,
                0,
                0,
                Map.of("applied", 2L),
                5,
                List.of(new StatusReply.Worker("w", "", "cpu", 1, 1, 10, null, null, null)),
                null,
                null);
        server.then(Reply.json(200, version))
                .then(Reply.json(200, accuracy))
                .then(Reply.json(200, accuracy))
                .then(Reply.json(200, status));

        assertThat(client.version()).isEqualTo(version);
        assertThat(client.accuracy()).isEqualTo(accuracy);
        assertThat(client.putAccuracy(new PutAccuracyRequest(
                        "g", 7L, 0.5, 0.9, 1.5, new TextFigures(64, 2.5), null, null, null, 100L)))
                .isEqualTo(accuracy);
        assertThat(client.status()).isEqualTo(status);
    }

    @Test
    void shouldPull() throws IOException {
        server.then(Reply.parameters(VERSION, LAYOUT, VALUES));

        assertThat(client.pull()).isInstanceOfSatisfying(Pulled.class, pulled -> {
            assertThat(pulled.version()).isEqualTo(VERSION);
            assertThat(pulled.parameters().toFloats(LAYOUT)).isEqualTo(VALUES);
        });
        assertThat(server.last().header("Accept")).isEqualTo(HeaderNames.SAFETENSORS);
    }

    @Test
    void shouldWaitForOtherThanTheKnownVersion() throws IOException {
        server.then(Reply.bytes(304, Map.of(), new byte[0]));

        assertThat(client.pullOtherThan(VERSION, Duration.ofSeconds(2))).isEqualTo(new PullResult.NotModified());
        assertThat(server.last().uri()).isEqualTo(URI.create("/getParameter?after=7&waitMs=2000"));
        assertThat(server.last().header("If-None-Match")).isEqualTo("\"g-7\"");
    }

    @Test
    void shouldTellThatTheServerHasNoParameters() throws IOException {
        server.then(Reply.problem(404, "no-parameters"));

        assertThat(client.pull()).isEqualTo(new PullResult.NotInitialized());
    }

    @Test
    void shouldPutInitialParameters() throws Exception {
        server.then(Reply.json(201, new PutParameterReply(201, "g", 0, 2, 12)).with(Map.of("ETag", "\"g-0\"")))
                .then(Reply.problem(412, "precondition-failed"));
        TensorSet parameters = TensorSet.ofFloats(LAYOUT, VALUES, Map.of("classes", "[]"));

        assertThat(client.putInitial(parameters)).contains(new ParameterVersion("g", 0));
        assertThat(server.last().header("If-None-Match")).isEqualTo("*");
        TensorSet sent = Safetensors.decode(server.last().body());
        assertThat(sent.toFloats(LAYOUT)).isEqualTo(VALUES);
        assertThat(sent.metadata()).isEqualTo(parameters.metadata());
        assertThat(client.putInitial(parameters)).isEmpty();
    }

    @Test
    void shouldPushGradientWithItsMetadata() throws Exception {
        server.then(Reply.json(200, new PushReply(200, "applied", 8, 1, false, null)));

        assertThat(push(false)).isEqualTo(new PushResult.Applied(8, 1, false, false, Optional.empty()));

        TensorSet sent = Safetensors.decode(server.last().body());
        assertThat(GradientMetadata.parse(sent.metadata())).isEqualTo(METADATA);
        assertThat(sent.layout()).isEqualTo(LAYOUT);
        assertThat(sent.toFloats(LAYOUT)).isEqualTo(VALUES);
        assertThat(server.last().header("Content-Type")).isEqualTo(HeaderNames.SAFETENSORS);
        assertThat(server.last().uri()).isEqualTo(URI.create("/putGradient"));
    }

    @Test
    void shouldPushAndPullInOneRoundTrip() throws IOException {
        ParameterVersion next = new ParameterVersion("g", 8);
        server.then(Reply.parameters(next, LAYOUT, VALUES)
                        .with(Map.of(HeaderNames.OUTCOME, "applied", HeaderNames.STALENESS, "2")))
                .then(Reply.parameters(next, LAYOUT, VALUES).with(Map.of(HeaderNames.OUTCOME, "duplicate")));

        assertThat(push(true)).isInstanceOfSatisfying(PushResult.Applied.class, applied -> {
            assertThat(applied.version()).isEqualTo(8);
            assertThat(applied.staleness()).isEqualTo(2);
            assertThat(applied.pulled().orElseThrow().version()).isEqualTo(next);
        });
        assertThat(server.last().uri()).isEqualTo(URI.create("/putGradient?pull=true"));
        assertThat(push(true)).isInstanceOfSatisfying(PushResult.Duplicate.class, duplicate -> {
            assertThat(duplicate.first()).isEqualTo("applied");
            assertThat(duplicate.pulled().orElseThrow().version()).isEqualTo(next);
        });
    }

    @Test
    void shouldKnowEveryOutcomeInJson() throws IOException {
        server.then(Reply.json(202, new PushReply(202, "buffered", 7, 0, true, null)))
                .then(Reply.json(200, new PushReply(200, "duplicate", 7, 0, false, "buffered")));

        assertThat(push(true)).isEqualTo(new PushResult.Buffered(7, true, false));
        assertThat(push(true)).isEqualTo(new PushResult.Duplicate("buffered", 7, false, false, Optional.empty()));
    }

    @ParameterizedTest
    @CsvSource({
        "409, stale-gradient, Stale",
        "409, other-generation, Stale",
        "409, future-version, Stale",
        "409, sequence-too-old, Stale",
        "409, unknown-worker, UnknownWorker",
        "409, no-parameters, NotInitialized",
        "400, malformed, Rejected",
        "413, too-large, Rejected",
        "415, unsupported-media-type, Rejected",
        "422, layout-mismatch, Rejected",
        "422, not-finite, Rejected"
    })
    void shouldKnowEveryRefusal(int status, String rule, String result) throws IOException {
        server.then(Reply.problem(status, rule));

        PushResult refused = push(false);

        assertThat(refused.getClass().getSimpleName()).isEqualTo(result);
        assertThat(refused).hasFieldOrPropertyWithValue("problem.detail", "the numbers");
        assertThat(refused).hasFieldOrPropertyWithValue("problem.rule", rule);
    }

    @Test
    void shouldNameTheWorkerInEveryCallOnItsBehalf() throws IOException {
        VersionReply version = new VersionReply(200, 7, null, null, null, null, "g", true);
        server.then(Reply.json(200, version)).then(Reply.json(200, version));

        client.as("w").version();
        assertThat(server.last().header(HeaderNames.WORKER)).isEqualTo("w");
        client.version();
        assertThat(server.last().header(HeaderNames.WORKER)).isEmpty();
    }

    @Test
    void shouldRefuseGradientThatIsNotOfItsLayout() {
        assertThatThrownBy(() -> client.push(METADATA, LAYOUT, new float[4], false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the layout has 3 float32 values, given were 4");
        assertThat(server.received()).isEmpty();
    }

    @Test
    void shouldKeepThePathOfTheServersAddress() throws IOException {
        server.then(Reply.problem(404, "not-found"));
        PsClient behindGateway =
                new PsClient(server.uri().resolve("/run-1/"), ClientOptions.DEFAULT.withRetryFor(Duration.ZERO));

        assertThatThrownBy(behindGateway::version).isInstanceOf(ProblemException.class);

        assertThat(server.last().uri()).isEqualTo(URI.create("/run-1/getVersion"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"h:29500", "ftp://host", "/path", "mailto:someone"})
    void shouldRefuseWhatIsNoAddress(String address) {
        assertThatThrownBy(() -> new PsClient(URI.create(address), ClientOptions.DEFAULT))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldSayWhatAnAddressLooksLike() {
        assertThatThrownBy(() -> new PsClient(URI.create("ps:29500"), ClientOptions.DEFAULT))
                .hasMessage("the server's address must be like http://host:29500; it is 'ps:29500'");
        assertThatThrownBy(() -> new PsClient(URI.create("http://ps/?a=b"), ClientOptions.DEFAULT))
                .hasMessage("the server's address must end in its path, without the '?' or '#' after 'http://ps/'");
    }

    private PushResult push(boolean pull) throws IOException {
        return client.push(METADATA, LAYOUT, VALUES, pull);
    }
}
