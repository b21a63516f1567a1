package org.fleetgrad.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.fleetgrad.client.ScriptedServer.Received;
import org.fleetgrad.client.internal.http.Transport;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.ParameterMessages.PushReply;
import org.fleetgrad.protocol.messages.ParameterMessages.VersionReply;
import org.fleetgrad.protocol.messages.TokenMessages.IssueTokenReply;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.messages.WorkerMessages.UnregisterWorkerReply;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsException;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.testing.ManualClock;
import org.fleetgrad.testing.OpenApiContract;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client with keys: which tokens it requests, sends and renews. Both sides of every exchange follow the contract. */
class SessionTest {

    private static final OpenApiContract CONTRACT = OpenApiContract.load();
    private static final VersionReply VERSION = new VersionReply(200, 7, null, null, null, null, "g", true);
    private static final PushReply APPLIED = new PushReply(200, "applied", 8, 0, false, null);
    private static final TensorLayout LAYOUT = TensorLayout.canonical(List.of(TensorSpec.f32("w", 2)));

    private final ManualClock clock = new ManualClock();
    private final List<Long> pauses = new ArrayList<>();
    private ScriptedServer server;
    private PsClient client;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer(0);
        client = client(60);
    }

    private PsClient client(long retryForSeconds) {
        Transport transport = Transport.overLibrary(ClientOptions.DEFAULT.transport());
        Exchange exchange = new Exchange(server.uri(), transport, Duration.ofSeconds(retryForSeconds), clock, pause -> {
            pauses.add(pause.toMillis());
            clock.advance(pause);
        });
        return new PsClient(server.uri(), exchange).withCredentials(new Credentials("access", "the-secret"));
    }

    @AfterEach
    void stopAndCheckContract() {
        server.close();
        server.check(CONTRACT);
    }

    @Test
    void shouldAskForATokenOnceAndSendItWithEveryCall() throws IOException {
        server.then(token("t1", 900)).then(version()).then(version());

        client.version();
        client.version();

        assertThat(paths()).containsExactly("/issueToken", "/getVersion", "/getVersion");
        assertThat(server.received().get(0).text())
                .isEqualTo("{\"accessKey\":\"access\",\"secretKey\":\"the-secret\"}");
        assertThat(tokens()).containsExactly("", "Bearer t1", "Bearer t1");
    }

    @Test
    void shouldUseTheTokenOfTheRegistrationForTheClientMadeForTheWorker() throws IOException {
        server.then(Reply.json(200, Reply.lease("w", 30_000, 7, 0, "of-w")))
                .then(Reply.json(200, APPLIED))
                .then(Reply.json(200, new UnregisterWorkerReply(200, "w")));

        client.register(new RegisterWorkerRequest("w", null, null, null));
        PsClient worker = client.as("w");
        push(worker);
        worker.unregister("w");

        assertThat(paths()).containsExactly("/registerWorker", "/putGradient", "/unregisterWorker");
        assertThat(server.received().get(0).text())
                .isEqualTo("{\"id\":\"w\",\"accessKey\":\"access\",\"secretKey\":\"the-secret\"}");
        assertThat(tokens()).containsExactly("", "Bearer of-w", "Bearer of-w");
    }

    @Test
    void shouldRenewShortlyBeforeTheEnd() throws IOException {
        server.then(token("t1", 900)).then(version()).then(version());
        client.version();
        clock.advance(Duration.ofSeconds(900 - 31));
        client.version();
        assertThat(tokens()).containsExactly("", "Bearer t1", "Bearer t1");

        clock.advance(Duration.ofSeconds(1));
        server.then(token("t2", 900)).then(version());
        client.version();

        assertThat(tokens()).endsWith("", "Bearer t2");
    }

    @Test
    void shouldUseMostOfAShortToken() throws IOException {
        server.then(token("t1", 12)).then(version());
        client.version();
        clock.advance(Duration.ofSeconds(8));
        server.then(version());
        client.version();
        clock.advance(Duration.ofSeconds(1));
        server.then(token("t2", 12)).then(version());
        client.version();

        assertThat(tokens()).containsExactly("", "Bearer t1", "Bearer t1", "", "Bearer t2");
    }

    @Test
    void shouldRenewAWorkersTokenInItsName() throws IOException {
        server.then(Reply.json(200, Reply.lease("w", 30_000, 7, 0, "t1")));
        client.register(new RegisterWorkerRequest("w", null, null, null));
        clock.advance(Duration.ofMinutes(15));
        server.then(token("t2", 900)).then(Reply.json(200, APPLIED));

        push(client.as("w"));

        assertThat(server.received().get(1).text()).contains("\"worker\":\"w\"");
        assertThat(tokens()).as("it shows the last one").containsExactly("", "Bearer t1", "Bearer t2");
    }

    /** The JDK throws the body of a 401 away and closes the connection where the request's body was streamed. */
    @Test
    void shouldPushOnceMoreWithANewTokenAndUnderTheSameSequence() throws IOException, SafetensorsException {
        server.then(token("t1", 900))
                .then(Reply.unauthenticated("the token is invalid"))
                .then(token("t2", 900))
                .then(Reply.json(200, APPLIED));

        PushResult result = push(client);

        assertThat(result).isEqualTo(new PushResult.Applied(8, 0, false, false, Optional.empty()));
        assertThat(tokens()).containsExactly("", "Bearer t1", "", "Bearer t2");
        ByteBuffer first = server.received().get(1).body();
        assertThat(server.received().get(3).body()).isEqualTo(first);
        assertThat(GradientMetadata.parse(Safetensors.decode(first).metadata()).sequence())
                .isEqualTo(4);
        assertThat(pauses).isEmpty();
    }

    @Test
    void shouldRenewOnceOnlyAndSayWhatTheServerSaid() {
        server.then(token("t1", 900))
                .then(Reply.unauthenticated("the token is invalid"))
                .then(token("t2", 900))
                .then(Reply.unauthenticated("the token is invalid still"));

        assertThatThrownBy(() -> push(client))
                .isInstanceOf(ProblemException.class)
                .hasMessage("POST /putGradient: 401 the token is invalid still");
        assertThat(server.received()).hasSize(4);
        assertThat(pauses).isEmpty();
    }

    @Test
    void shouldFailAtOnceWithWrongKeys() {
        server.then(Reply.unauthenticated("the keys are those of no role"));

        assertThatThrownBy(client::version)
                .isInstanceOf(ProblemException.class)
                .hasMessage("POST /issueToken: 401 the keys are those of no role");
        assertThat(server.received()).hasSize(1);
        assertThat(pauses).isEmpty();
    }

    @Test
    void shouldFailAtOnceWhereWrongKeysRegister() {
        server.then(Reply.unauthenticated("the keys are those of no role"));

        assertThatThrownBy(() -> client.register(new RegisterWorkerRequest("w", null, null, null)))
                .isInstanceOf(ProblemException.class)
                .hasMessage("POST /registerWorker: 401 the keys are those of no role");
        assertThat(pauses).isEmpty();
    }

    @Test
    void shouldSayWhatARoleMayNotDo() {
        server.then(token("t1", 900)).then(Reply.problem(403, "forbidden"));

        assertThatThrownBy(() -> push(client))
                .isInstanceOf(ProblemException.class)
                .hasMessage("POST /putGradient: 403 the numbers");
        assertThat(server.received()).hasSize(2);
    }

    @Test
    void shouldSayThatTheServerWantsKeysWhereTheClientHasNone() {
        PsClient anonymous = new PsClient(server.uri(), ClientOptions.DEFAULT);
        server.then(Reply.unauthenticated("the request has no token"));

        assertThatThrownBy(() -> push(anonymous))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refused -> assertThat(refused.problem().rule()).isEqualTo("unauthenticated"))
                .hasMessage("POST /putGradient: 401 the request has no token");
    }

    @Test
    void shouldSendNoTokenToAServerWithoutKeys() throws IOException {
        server.then(Reply.problem(409, "security-off")).then(version()).then(version());

        client.version();
        client.version();

        assertThat(paths()).containsExactly("/issueToken", "/getVersion", "/getVersion");
        assertThat(tokens()).containsExactly("", "", "");
    }

    @Test
    void shouldAskForNoTokenWhereARegistrationBroughtNone() throws IOException {
        server.then(Reply.json(200, Reply.lease("w", 30_000, 7, 0, null))).then(Reply.json(200, APPLIED));

        client.register(new RegisterWorkerRequest("w", null, null, null));
        push(client.as("w"));

        assertThat(paths()).containsExactly("/registerWorker", "/putGradient");
    }

    @Test
    void shouldAskForATokenWhereAServerWithoutKeysCameBackWithThem() throws IOException {
        server.then(Reply.problem(409, "security-off"))
                .then(version())
                .then(Reply.unauthenticated("x"))
                .then(token("t1", 900))
                .then(version());

        client.version();
        client.version();

        assertThat(tokens()).containsExactly("", "", "", "", "Bearer t1");
    }

    /** A restarted server signs with another key: a broken connection does not reveal this. */
    @Test
    void shouldAskForAnotherTokenWhenAConnectionBroke() throws IOException {
        server.then(token("t1", 900)).then(Reply.lost()).then(token("t2", 900)).then(Reply.json(200, APPLIED));

        push(client);

        assertThat(tokens()).containsExactly("", "Bearer t1", "", "Bearer t2");
        assertThat(pauses).containsExactly(50L);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldWaitWhileTheServerIsBusyGivingTokens(int times) throws IOException {
        for (int i = 0; i < times; i++) {
            server.then(Reply.lost());
        }
        server.then(token("t1", 900)).then(version());

        assertThat(client.version()).isEqualTo(VERSION);
        assertThat(pauses).hasSize(times);
    }

    @Test
    void shouldAskForOneTokenHoweverManyThreadsWantOne() throws InterruptedException, ExecutionException {
        int threads = 8;
        server.then(token("t1", 900));
        for (int i = 0; i < threads; i++) {
            server.then(version());
        }
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<VersionReply>> calls = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                calls.add(client::version);
            }
            for (Future<VersionReply> answer : pool.invokeAll(calls)) {
                assertThat(answer.get()).isEqualTo(VERSION);
            }
        } finally {
            pool.shutdown();
        }

        assertThat(paths().stream().filter("/issueToken"::equals)).hasSize(1);
    }

    @Test
    void shouldNeverShowKeysOrTokens() {
        assertThat(new Credentials("my-access", "my-secret").toString()).doesNotContain("my-");
        assertThat(new RegisterWorkerRequest("w", null, null, null)
                        .withKeys("my-access", "my-secret")
                        .toString())
                .doesNotContain("my-");
        assertThat(Reply.lease("w", 1, 0, 0, "my-token").toString()).doesNotContain("my-");
        assertThat(new IssueTokenReply(200, "my-token", "reader", 1).toString()).doesNotContain("my-");
    }

    private static PushResult push(PsClient from) throws IOException {
        return from.push(new GradientMetadata("w", 4, "g", 7, 1, 0), LAYOUT, new float[] {1, 2}, false);
    }

    private static Reply token(String text, long seconds) {
        return Reply.json(200, new IssueTokenReply(200, text, "worker", seconds * 1000));
    }

    private static Reply version() {
        return Reply.json(200, VERSION);
    }

    private List<String> paths() {
        return server.received().stream()
                .map(request -> request.uri().getPath())
                .toList();
    }

    private List<String> tokens() {
        return server.received().stream()
                .map((Received request) -> request.header("Authorization"))
                .toList();
    }
}
