package org.fleetgrad.worker.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.client.fake.FakeWork;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.worker.TestShards;
import org.fleetgrad.worker.WorkerAction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A standalone worker as a process of its own. */
@Tag("whole")
class StandaloneWorkerTest {

    private static final int STOPPED = 128 + 15;

    @TempDir
    private Path folder;

    private FakeParameterServer server;
    private Path shard;

    @BeforeEach
    void open() throws IOException {
        shard = folder.resolve("shard.tar.gz");
        ShardArchive.write(TestShards.digits(20, 1), shard);
        server = new FakeParameterServer(0.05f);
    }

    @AfterEach
    void close() {
        server.close();
    }

    private record Ended(int code, List<String> out, List<String> err) {}

    private Process start(Map<String, String> environment, String... arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dai.djl.offline=true",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                System.getProperty("java.class.path"),
                WorkerAction.class.getName());
        builder.command().addAll(List.of(arguments));
        builder.environment().putAll(environment);
        builder.redirectOutput(folder.resolve("out").toFile());
        builder.redirectError(folder.resolve("err").toFile());
        return builder.start();
    }

    private Ended end(Process process) throws IOException, InterruptedException {
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Ended(
                process.exitValue(),
                Files.readString(folder.resolve("out"), UTF_8).lines().toList(),
                Files.readString(folder.resolve("err"), UTF_8).lines().toList());
    }

    private String parameters(int updateInterval) {
        return "{\"apihost\":\"%s\",\"batch_sz_train\":8,\"update_intv\":%d}".formatted(server.uri(), updateInterval);
    }

    @Test
    void shouldTrainUntilAllShardsOfAllEpochsAreDone() throws Exception {
        server.with(new FakeWork(3).with(shard, 20).putAfter(2));

        Ended ended = end(start(Map.of(), "run", parameters(1)));

        assertThat(ended.code()).as(ended.err().toString()).isZero();
        assertThat(ended.out()).hasSize(3);
        JsonNode second = JsonMapper.shared().readTree(ended.out().get(1));
        assertThat(second.get("counted").longValue()).isEqualTo(20);
        assertThat(second.get("warm").booleanValue()).isTrue();
        assertThat(ended.err())
                .containsSubsequence(
                        "trains for " + server.uri(),
                        "waits: the parameter server has no work yet",
                        "continues",
                        "the work is done");
        assertThat(server.version()).isEqualTo(9);
        assertThat(server.workers()).isEmpty();
    }

    @Test
    void shouldPushWhatItHoldsAndLeaveWhenItIsToldToStop() throws Exception {
        CountDownLatch isTraining = new CountDownLatch(1);
        server.with(new FakeWork(1_000_000).with(shard, 20)).nextIsFineAnd(isTraining::countDown);
        Process process = start(Map.of(), "run", parameters(2));
        assertThat(isTraining.await(60, TimeUnit.SECONDS)).isTrue();

        process.toHandle().destroy();

        Ended ended = end(process);
        assertThat(ended.code()).isEqualTo(STOPPED);
        long counted = ended.out().stream()
                .mapToLong(line ->
                        JsonMapper.shared().readTree(line).get("counted").longValue())
                .sum();
        assertThat(counted)
                .isEqualTo(server.pushes().stream()
                        .mapToLong(push -> push.metadata().samples())
                        .sum());
        assertThat(server.workers()).isEmpty();
    }

    @Test
    void shouldAnswerPredictionsWhileItTrainsAndSayWhere() throws Exception {
        CountDownLatch isTraining = new CountDownLatch(1);
        server.with(new FakeWork(1_000_000).with(shard, 20)).nextIsFineAnd(isTraining::countDown);
        Process process = start(Map.of("WORKER_SERVE_MODE", "thread"), "run", "--serve", "0", parameters(1));
        assertThat(isTraining.await(60, TimeUnit.SECONDS)).isTrue();
        String address = server.registrations().get(0).get("address").asString();

        JsonNode answer;
        try {
            HttpResponse<String> response = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create(address + "/predict"))
                                    .header("Content-Type", "application/json")
                                    .POST(HttpRequest.BodyPublishers.ofString(
                                            "{\"image\":%s}".formatted(Collections.nCopies(784, 0))))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            answer = JsonMapper.shared().readTree(response.body());
        } finally {
            process.toHandle().destroy();
        }

        assertThat(answer.get("mode").asString()).isEqualTo("thread");
        assertThat(answer.get("predictions").size()).isEqualTo(1);
        Ended ended = end(process);
        assertThat(ended.code()).isEqualTo(STOPPED);
        assertThat(ended.err()).startsWith("answers predictions at %s, thread".formatted(address));
    }

    @Test
    void shouldNameAWrongSettingOfServing() throws Exception {
        Ended ended = end(start(Map.of(), "run", "--serve", "0", "--serve-mode", "fast", parameters(1)));

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.err())
                .containsExactly("WORKER_SERVE_MODE must be interleaved or thread or live; it is 'fast'");
    }

    @Test
    void shouldStopAtOnceWhileItWaits() throws Exception {
        server.with(new FakeWork(1).putAfter(Integer.MAX_VALUE));
        Process process = start(Map.of(), "run", parameters(1));
        await().atMost(60, TimeUnit.SECONDS)
                .until(() -> Files.readString(folder.resolve("err")).contains("waits: "));

        process.toHandle().destroy();

        assertThat(end(process).code()).isEqualTo(STOPPED);
    }

    @Test
    void shouldSaySoonThatTheServerIsAwayAndGiveUpInTime() throws Exception {
        server.close();

        Ended ended = end(start(Map.of("WORKER_RETRY_TIMEOUT", "3s"), "run", parameters(1)));

        assertThat(ended.code()).isEqualTo(4);
        assertThat(ended.err()).hasSize(3);
        assertThat(ended.err().get(1))
                .startsWith("POST %s/registerWorker failed at try ".formatted(server.uri()))
                .endsWith("; tries again");
        assertThat(ended.err().get(2)).startsWith("gave up at try ");
    }

    @Test
    void shouldEndWithKeysThatAreRefused() throws Exception {
        server.refuseSecret("wrong-secret");

        Ended ended = end(start(
                Map.of("FLEETGRAD_ACCESS_KEY", "worker", "FLEETGRAD_SECRET_KEY", "wrong-secret"),
                "run",
                parameters(1)));

        assertThat(ended.code()).isEqualTo(3);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err())
                .containsExactly(
                        "trains for " + server.uri(), "POST /registerWorker: 401 the keys are those of no role");
    }

    @Test
    void shouldSayHowItIsUsed() throws Exception {
        Ended wrong = end(start(Map.of(), "train"));
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err())
                .containsExactly(
                        "the arguments are none, or: run [--serve PORT] JSON; there are 1",
                        "Try 'worker-action --help'.");

        Ended help = end(start(Map.of(), "--help"));
        assertThat(help.code()).isZero();
        assertThat(help.out()).isEqualTo(WorkerCommand.USAGE.lines().toList());

        Ended impatient = end(start(Map.of("WORKER_RETRY_TIMEOUT", "long"), "run", parameters(1)));
        assertThat(impatient.code()).isEqualTo(2);
        assertThat(server.calls()).isEmpty();
    }
}
