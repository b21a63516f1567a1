package org.fleetgrad.e2e.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.testing.ActionWire.Reply;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The worker's image keeps OpenWhisk's contract of an action container, with OpenWhisk's flags. */
@Order(Order.DEFAULT + 6)
@Tag("whole")
class WorkerContainerIT {

    private static final String SENTINEL_ONLY = WorkerContainer.SENTINEL + "\n";
    private static final String UNICODE = "❄ ☃ ❄ ö \uD83D\uDE80";
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    /** OpenWhisk pauses a container 10 s after a run, and may keep it paused for 10 minutes. */
    private static final Duration PAUSE = Duration.parse(System.getProperty("fleetgrad.pause", "PT3S"));

    private static final int ENDED_BY_SIGTERM = 143;

    private static String image = "";

    @TempDir
    private Path folder;

    @BeforeAll
    static void build() throws Exception {
        Docker.require();
        image = Docker.workerImage();
    }

    private static WorkerContainer initialized(String... flags) throws Exception {
        WorkerContainer worker = new WorkerContainer(image, flags);
        worker.init(TrainingSite.INIT);
        return worker;
    }

    private TrainingSite site(WorkerContainer worker) throws Exception {
        // The address of this machine for the container.
        return new TrainingSite(folder, worker.inspect("{{.NetworkSettings.Gateway}}"));
    }

    private static void assertTrained(Reply reply, int samples) {
        JsonNode answer = reply.json();
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        assertThat(answer.path("completed").asBoolean()).as(reply.body()).isTrue();
        assertThat(answer.path("samples").asInt()).isEqualTo(samples);
        assertThat(answer.path("pushes").asInt()).isEqualTo((samples + 31) / 32);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", """
                {"value":{"code":"","main":"","binary":false,"env":null}}""", """
                {"value":{"name":"rec","binary":false,"main":"niam","env":{"__OW_ACTION_NAME":"/guest/rec"}}}"""})
    void shouldBeReadyAfterAnyInitAndSayNothing(String init) throws Exception {
        try (WorkerContainer worker = new WorkerContainer(image)) {
            assertThat(worker.init(init).status()).isEqualTo(200);

            assertThat(worker.logs()).isEqualTo(new Docker.Output(0, "", ""));
        }
    }

    @Test
    void shouldRefuseASecondInit() throws Exception {
        try (WorkerContainer worker = initialized()) {
            Reply reply = worker.init("{}");

            assertThat(reply.status()).isEqualTo(403);
            assertThat(reply.body()).isEqualTo("{\"error\":\"Cannot initialize the action more than once.\"}");
            assertThat(worker.logs())
                    .isEqualTo(new Docker.Output(0, "", "Cannot initialize the action more than once.\n"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{\"value\":{}}", "{}", "", "null", "{\"activation_id\":\"77c8\",\"deadline\":\"1795215950210\"}"
            })
    void shouldRunWithoutInitAndJudgeAbsentArguments(String body) throws Exception {
        try (WorkerContainer worker = new WorkerContainer(image)) {
            Reply reply = worker.run(body);

            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.error()).isEqualTo("the parameter apihost is missing");
            assertThat(worker.logs())
                    .isEqualTo(
                            new Docker.Output(0, SENTINEL_ONLY, "the parameter apihost is missing\n" + SENTINEL_ONLY));
        }
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "\"text\", 404, The action did not receive a dictionary as an argument.",
                "7, 404, The action did not receive a dictionary as an argument.",
                "null, 404, The action did not receive a dictionary as an argument.",
                "`[1,{\"a\":2}]`, 200, the arguments must be an object; they are an array of 2",
                "`{\"apihost\":\"ps\",\"dataset_url\":\"/a\",\"device\":\"gpu\"}`, 200, `device cuda:0 does not exist: this libtorch is the processor's; write cpu, or use libtorch for CUDA: the worker's GPU image, which docker/build gpu makes, or a folder of docker/libtorch-cuda`",
                "`{\"apihost\":\"ps\",\"dataset_url\":\"/no/such\"}`, 200, /no/such could not be read: NoSuchFileException /no/such"
            })
    void shouldRefuseArgumentsAndStayWarm(String value, int status, String error) throws Exception {
        try (WorkerContainer worker = initialized()) {
            for (int run = 0; run < 2; run++) {
                Reply reply = worker.runValue(value);

                assertThat(reply.status()).isEqualTo(status);
                assertThat(reply.error()).isEqualTo(error);
            }
            assertThat(worker.logs().out()).isEqualTo(SENTINEL_ONLY.repeat(2));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"C", "POSIX", "C.UTF-8", "de_DE.ISO-8859-1"})
    void shouldSpeakUtf8UnderAnyLocale(String locale) throws Exception {
        try (WorkerContainer worker = initialized("-e", "LANG=" + locale, "-e", "LC_ALL=" + locale)) {
            String error = "apihost must be like http://host:29500; it is '%s'".formatted(UNICODE);

            Reply reply = worker.runValue("{\"apihost\":\"%s\",\"dataset_url\":\"/a\"}".formatted(UNICODE));

            assertThat(reply.error()).isEqualTo(error);
            assertThat(worker.logs()).isEqualTo(new Docker.Output(0, SENTINEL_ONLY, error + "\n" + SENTINEL_ONLY));
        }
    }

    @Test
    void shouldSayWhatIsMissingOfTheKeysOfInit() throws Exception {
        try (WorkerContainer worker = new WorkerContainer(image)) {
            worker.init("{\"value\":{\"env\":{\"FLEETGRAD_ACCESS_KEY\":\"worker\"}}}");

            assertThat(worker.runValue("{\"apihost\":\"ps\",\"dataset_url\":\"/a\"}")
                            .error())
                    .startsWith("FLEETGRAD_ACCESS_KEY is set and FLEETGRAD_SECRET_KEY is not");
        }
    }

    @Test
    void shouldTrainColdAndWarmOnOneShardAndAnother() throws Exception {
        try (WorkerContainer worker = initialized();
                TrainingSite site = site(worker)) {
            String first = site.shard(640);
            String second = site.shard(352);

            Reply cold = worker.runValue(site.value(first, 1));
            Reply warm = worker.runValue(site.value(second, 1));
            Reply again = worker.runValue(site.value(first, 1));

            assertTrained(cold, 640);
            assertTrained(warm, 352);
            assertTrained(again, 640);
            assertThat(cold.json().path("warm").asBoolean()).isFalse();
            assertThat(warm.json().path("warm").asBoolean()).isTrue();
            assertThat(site.server().version().version()).isEqualTo(20 + 11 + 20);
            Docker.Output logs = worker.logs();
            assertThat(logs.out()).isEqualTo(SENTINEL_ONLY.repeat(3));
            // libtorch warns once of a deprecated call in DJL's binding; the warning cannot be turned off.
            assertThat(logs.err().lines().filter(line -> !line.contains("AutoNonVariableTypeMode")))
                    .containsOnly(WorkerContainer.SENTINEL);
            assertThat(worker.docker("diff")).as("files that the worker wrote").isEmpty();
            assertThat(worker.inspect("{{.Config.User}} {{.State.OOMKilled}}")).isEqualTo("action false");
        }
    }

    @Test
    void shouldTakeAnArgumentOfOneMegabyte() throws Exception {
        try (WorkerContainer worker = initialized();
                TrainingSite site = site(worker)) {
            String padded =
                    site.value(site.shard(64), 1).replace("{", "{\"padding\":\"%s\",".formatted("a".repeat(1_048_000)));

            assertTrained(worker.runValue(padded), 64);
        }
    }

    @Test
    void shouldGoOnAfterAPause() throws Exception {
        try (WorkerContainer worker = initialized();
                TrainingSite site = site(worker)) {
            String shard = site.shard(64);
            assertTrained(worker.runValue(site.value(shard, 1)), 64);

            worker.docker("pause");
            long begin = System.nanoTime();
            await().atMost(PAUSE.multipliedBy(2).plus(TIMEOUT))
                    .until(() -> System.nanoTime() - begin > PAUSE.toNanos());
            assertThat(worker.inspect("{{.State.Status}}")).isEqualTo("paused");
            worker.docker("unpause");

            Reply reply = worker.runValue(site.value(shard, 1));
            assertTrained(reply, 64);
            assertThat(reply.json().path("warm").asBoolean()).isTrue();
        }
    }

    @Test
    void shouldAnswerTheRunInProgressAndEndWhenItIsTold() throws Exception {
        try (WorkerContainer worker = initialized();
                TrainingSite site = site(worker)) {
            String value = site.value(site.shard(640), 1_000_000);
            CompletableFuture<Reply> answer = CompletableFuture.supplyAsync(() -> {
                try {
                    return worker.runValue(value);
                } catch (IOException failed) {
                    throw new UncheckedIOException(failed);
                }
            });
            StatusReply status = await().atMost(TIMEOUT)
                    .until(site.server()::status, now -> now.workers().stream().anyMatch(live -> live.applied() > 3));
            assertThat(status.workers().get(0).description())
                    .isEqualTo("worker-action, batches of 32, activation 77c8");

            worker.terminate();

            JsonNode reply = answer.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS).json();
            assertThat(reply.path("completed").asBoolean()).as(reply.toString()).isFalse();
            assertThat(worker.exitCode()).isEqualTo(ENDED_BY_SIGTERM);
            assertThat(reply.path("pushes").asLong())
                    .isEqualTo(site.server().version().version());
            assertThat(site.server().status().workers()).isEmpty();
            assertThat(worker.logs().out()).isEqualTo(SENTINEL_ONLY);
        }
    }

    /** OpenWhisk takes this answer for a developer error, and so destroys the container. */
    @Test
    void shouldAnswerWhereAShardDoesNotFitIntoTheHeap() throws Exception {
        try (WorkerContainer worker = initialized();
                TrainingSite site = site(worker)) {
            Reply reply = worker.runValue(site.value(site.blankShard(150_000), 1));

            assertThat(reply.status()).isEqualTo(502);
            assertThat(reply.error())
                    .startsWith("the action failed: its heap of ")
                    .endsWith("give the action more memory, or it smaller shards");
            assertThat(worker.logs().err()).startsWith("java.lang.OutOfMemoryError");
        }
    }

    @Test
    void shouldTakeManyRunsEachOnAConnectionOfItsOwn() throws Exception {
        try (WorkerContainer worker = initialized()) {
            for (int run = 0; run < 100; run++) {
                assertThat(worker.runValue("{}").status()).isEqualTo(200);
            }
            assertThat(worker.logs().out()).isEqualTo(SENTINEL_ONLY.repeat(100));
        }
    }
}
