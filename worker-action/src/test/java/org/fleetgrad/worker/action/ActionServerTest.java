package org.fleetgrad.worker.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.fleetgrad.testing.ActionWire;
import org.fleetgrad.testing.ActionWire.Reply;
import org.fleetgrad.worker.action.ActionResult.ApplicationError;
import org.fleetgrad.worker.action.ActionResult.Success;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** OpenWhisk's contract of an action container, over real sockets, with an action that the test scripts. */
class ActionServerTest {

    private static final String SENTINEL = "XXX_THE_END_OF_A_WHISK_ACTIVATION_XXX";
    private static final String UNICODE = "❄ ☃ ❄ ö \uD83D\uDE80";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private Function<JsonNode, ActionResult> action = body -> new Success(Map.of("echo", body.get("value")));
    private final ActionEnvironment environment = new ActionEnvironment(Map.of("__OW_API_HOST", "http://host:3233"));
    private ActionServer server;
    private ActionWire wire;

    @BeforeEach
    void start() throws IOException {
        server = new ActionServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                environment,
                body -> action.apply(body),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        server.start();
        wire = ActionWire.local(server.port());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static int sentinels(ByteArrayOutputStream stream) {
        return (int) stream.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(SENTINEL::equals)
                .count();
    }

    private void assertLogsHold(int sentinels) {
        assertThat(sentinels(out)).as("sentinels on stdout").isEqualTo(sentinels);
        assertThat(sentinels(err)).as("sentinels on stderr").isEqualTo(sentinels);
    }

    private static void assertComplete(Reply reply) {
        assertThat(reply.header("Content-Length"))
                .containsExactly(Integer.toString(reply.body().getBytes(StandardCharsets.UTF_8).length));
        assertThat(reply.header("Transfer-Encoding")).isEmpty();
        assertThat(reply.header("Content-Type")).containsExactly("application/json");
        assertThat(reply.json().isObject()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", """
                {"value":{"code":"","main":"","binary":false,"env":null}}""", """
                {"value":{"name":"rec","binary":false,"main":"main","env":{"__OW_ACTION_NAME":"/guest/rec"}}}"""})
    void shouldBeReadyAfterAnyInit(String body) throws IOException {
        Reply reply = wire.post("/init", body);

        assertThat(reply.status()).isEqualTo(200);
        assertComplete(reply);
        assertThat(out.size()).isZero();
        assertThat(err.size()).isZero();
    }

    @Test
    void shouldRefuseASecondInit() throws IOException {
        wire.post("/init", "{}");

        Reply reply = wire.post("/init", "{}");

        assertThat(reply.status()).isEqualTo(403);
        assertThat(reply.body()).isEqualTo("{\"error\":\"Cannot initialize the action more than once.\"}");
        assertComplete(reply);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualToNormalizingNewlines("Cannot initialize the action more than once.\n");
        assertLogsHold(0);
        assertThat(wire.post("/run", "{\"value\":{}}").status()).isEqualTo(200);
    }

    @Test
    void shouldRunWithoutInit() throws IOException {
        Reply reply = wire.post("/run", "{\"value\":{\"a\":1}}");

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).isEqualTo("{\"echo\":{\"a\":1}}");
        assertComplete(reply);
    }

    @Test
    void shouldEndTheLogOfEachRunOnce() throws IOException {
        wire.post("/init", "{}");
        for (int run = 1; run <= 4; run++) {
            wire.post("/run", "{\"value\":{}}");
            assertLogsHold(run);
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualToNormalizingNewlines((SENTINEL + "\n").repeat(4));
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualToNormalizingNewlines((SENTINEL + "\n").repeat(4));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"value\":\"text\"}",
                "{\"value\":7}",
                "{\"value\":null}",
                "[]",
                "\"value\"",
                "not json",
                "{\"value\":{",
                "{\"value\":{}}}"
            })
    void shouldRefuseArgumentsThatAreNoDictionary(String body) throws IOException {
        Reply reply = wire.post("/run", body);

        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.body()).isEqualTo("{\"error\":\"The action did not receive a dictionary as an argument.\"}");
        assertComplete(reply);
        assertLogsHold(1);
    }

    /** As in OpenWhisk's own skeleton. */
    @ParameterizedTest
    @ValueSource(
            strings = {"{\"value\":[1,2]}", "{\"value\":{}}", "{}", "", "null", "{\"action_name\":\"/guest/rec\"}"})
    void shouldLeaveArraysAndAbsentArgumentsToTheAction(String body) throws IOException {
        action = given -> new Success(Map.of("given", given.path("value")));

        Reply reply = wire.post("/run", body);

        assertThat(reply.status()).isEqualTo(200);
        assertComplete(reply);
        assertLogsHold(1);
    }

    @Test
    void shouldExportTheVariablesOfInitAndOfEachRun() throws IOException {
        action = body -> new Success(new TreeMap<>(environment.variables()));
        wire.post("/init", """
                {"value":{"env":{"SOME_VAR":"snow ☃","EMPTY":"","NUMBER":7,"NONE":null,"__OW_ACTIVATION_ID":"init"}}}""");

        Reply first = wire.post("/run", """
                {"value":{"a":1},"activation_id":"one","deadline":"1795215950210","namespace":"guest","odd":[1]}""");
        Reply second = wire.post("/run", "{\"value\":{},\"activation_id\":\"two\"}");

        assertThat(first.body()).isEqualTo("""
                {"EMPTY":"","NUMBER":"7","SOME_VAR":"snow ☃","__OW_ACTIVATION_ID":"one","__OW_API_HOST":"http://host:3233",\
                "__OW_DEADLINE":"1795215950210","__OW_NAMESPACE":"guest"}""");
        assertThat(second.body()).isEqualTo("""
                {"EMPTY":"","NUMBER":"7","SOME_VAR":"snow ☃","__OW_ACTIVATION_ID":"two","__OW_API_HOST":"http://host:3233"}""");
    }

    @Test
    void shouldTakeNoVariablesFromARefusedInit() throws IOException {
        wire.post("/init", "{\"value\":{\"env\":{\"KEY\":\"first\"}}}");

        wire.post("/init", "{\"value\":{\"env\":{\"KEY\":\"second\"}}}");

        assertThat(environment.variables()).containsEntry("KEY", "first");
    }

    @Test
    void shouldAnswerWhereTheHeapIsFull() throws IOException {
        action = body -> {
            throw new OutOfMemoryError("Java heap space");
        };

        Reply reply = wire.post("/run", "{\"value\":{}}");

        assertThat(reply.status()).isEqualTo(502);
        assertThat(reply.error())
                .isEqualTo(
                        "the action failed: its heap of %d MiB is full (Java heap space); give the action more memory, or it smaller shards",
                        Runtime.getRuntime().maxMemory() >> 20);
        assertComplete(reply);
        assertLogsHold(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "PUT", "DELETE"})
    void shouldKnowPostOnly(String method) throws IOException {
        for (String path : new String[] {"/init", "/run"}) {
            Reply reply = wire.send(method, path, "");

            assertThat(reply.status()).isEqualTo(405);
            assertThat(reply.header("Allow")).containsExactly("POST");
            assertThat(reply.error()).isEqualTo("this action knows POST only");
            assertComplete(reply);
        }
        assertThat(wire.post("/init", "{}").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/runs", "/run/1", "/initialize", "/health"})
    void shouldKnowTwoPathsOnly(String path) throws IOException {
        Reply reply = wire.post(path, "{\"value\":{}}");

        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.error()).isEqualTo("this action knows POST /init and POST /run only");
        assertComplete(reply);
        assertLogsHold(0);
    }

    @Test
    void shouldAnswerAnApplicationErrorWithTheContainerKept() throws IOException {
        action = body -> new ApplicationError(400, "epoch_n is %s".formatted(UNICODE));

        Reply reply = wire.post("/run", "{\"value\":{}}");

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.error()).isEqualTo("epoch_n is " + UNICODE);
        assertThat(reply.json().get("code").intValue()).isEqualTo(400);
        assertComplete(reply);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualToNormalizingNewlines("epoch_n is %s\n%s\n".formatted(UNICODE, SENTINEL));
        assertLogsHold(1);
    }

    @Test
    void shouldAnswerABugAndGoOn() throws IOException {
        Function<JsonNode, ActionResult> working = action;
        action = body -> {
            throw new IllegalStateException("impossible");
        };

        Reply reply = wire.post("/run", "{\"value\":{}}");

        assertThat(reply.status()).isEqualTo(502);
        assertThat(reply.error()).isEqualTo("the action failed: java.lang.IllegalStateException: impossible");
        assertComplete(reply);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .startsWith("java.lang.IllegalStateException: impossible")
                .contains("\tat " + ActionServerTest.class.getName());
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualToNormalizingNewlines(SENTINEL + "\n");
        assertLogsHold(1);

        action = working;
        assertThat(wire.post("/run", "{\"value\":{}}").status()).isEqualTo(200);
        assertLogsHold(2);
    }

    @Test
    void shouldAnswerWhereAClassIsMissing() throws IOException {
        action = body -> {
            throw new NoClassDefFoundError("ai/djl/Absent");
        };

        assertThat(wire.post("/run", "{\"value\":{}}").error())
                .isEqualTo("the action failed: java.lang.NoClassDefFoundError: ai/djl/Absent");
    }

    @Test
    void shouldCarryUnicodeBothWays() throws IOException {
        Reply reply = wire.post("/run", "{\"value\":{\"winter\":\"%s\"}}".formatted(UNICODE));

        assertThat(reply.json().at("/echo/winter").stringValue()).isEqualTo(UNICODE);
        assertComplete(reply);
    }

    @Test
    void shouldTakeAnArgumentOfOneMegabyte() throws IOException {
        String large = "a".repeat(1_048_561);

        Reply reply = wire.post("/run", "{\"value\":{\"large\":\"%s\"}}".formatted(large));

        assertThat(reply.json().at("/echo/large").stringValue()).isEqualTo(large);
        assertComplete(reply);
    }

    @Test
    void shouldRefuseWhatOpenWhiskWouldNotSend() throws IOException {
        Reply reply = wire.post("/run", " ".repeat(2 * 1024 * 1024 + 1));

        assertThat(reply.status()).isEqualTo(413);
        assertThat(reply.error()).isEqualTo("the body has more than 2097152 bytes");
    }

    @Test
    void shouldGiveTheActionTheWholeBody() throws IOException {
        action = body -> new Success(Map.of("deadline", body.get("deadline"), "stranger", body.get("stranger")));

        Reply reply = wire.post("/run", """
                {"value":{},"action_name":"/guest/rec","deadline":"1795215950210","stranger":{"a":[1]}}""");

        assertThat(reply.json().get("deadline").stringValue()).isEqualTo("1795215950210");
        assertThat(reply.json().at("/stranger/a/0").intValue()).isEqualTo(1);
    }

    @Test
    void shouldStopAtOnceWhereNothingRuns() {
        assertTimeoutPreemptively(Duration.ofSeconds(5), server::close);
    }

    @Test
    void shouldAnswerTheRunInProgressBeforeItStops() throws Exception {
        CountDownLatch isRunning = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        action = body -> {
            isRunning.countDown();
            return new Success(Map.of("ended", awaited(mayEnd)));
        };
        CompletableFuture<Reply> reply = inBackground(() -> wire.post("/run", "{\"value\":{}}"));
        assertThat(isRunning.await(60, TimeUnit.SECONDS)).isTrue();

        CompletableFuture<Boolean> closed = inBackground(() -> {
            server.close();
            return true;
        });
        mayEnd.countDown();

        assertThat(reply.get(60, TimeUnit.SECONDS).body()).isEqualTo("{\"ended\":true}");
        assertThat(closed.get(60, TimeUnit.SECONDS)).isTrue();
        assertLogsHold(1);
    }

    /** Continues to wait after an interrupt: a stop interrupts a run after a second, maybe before the test opens the latch. */
    private static boolean awaited(CountDownLatch latch) {
        boolean isWoken = false;
        try {
            while (true) {
                try {
                    return latch.await(60, TimeUnit.SECONDS);
                } catch (InterruptedException woken) {
                    isWoken = true;
                }
            }
        } finally {
            if (isWoken) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private interface Work<T> {
        T run() throws IOException;
    }

    @Test
    void shouldWakeARunThatWaitsAndStillAnswerItWhenToldToStop() throws Exception {
        CountDownLatch isWaiting = new CountDownLatch(1);
        action = body -> {
            isWaiting.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException woken) {
                Thread.currentThread().interrupt();
            }
            return new ApplicationError(504, "the server is away");
        };
        CompletableFuture<Reply> reply = inBackground(() -> wire.post("/run", "{\"value\":{}}"));
        assertThat(isWaiting.await(60, TimeUnit.SECONDS)).isTrue();

        CompletableFuture<Boolean> closed = inBackground(() -> {
            server.close();
            return true;
        });

        assertThat(reply.get(60, TimeUnit.SECONDS).body()).contains("the server is away");
        assertThat(closed.get(60, TimeUnit.SECONDS)).isTrue();
    }

    private static <T> CompletableFuture<T> inBackground(Work<T> work) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return work.run();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        });
    }
}
