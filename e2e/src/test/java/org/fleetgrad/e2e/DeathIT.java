package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.testing.FreePorts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Programs are killed in the middle of a run. */
@Order(6)
class DeathIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int SAMPLES = 4000;
    private static final int EPOCHS = 5;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    private Path folder;

    private final List<JarProcess> programs = new ArrayList<>();
    private int serverPort;
    private PsClient server;
    private Path shard;

    @BeforeEach
    void prepare() throws IOException {
        serverPort = FreePorts.next();
        server = new PsClient(URI.create("http://127.0.0.1:" + serverPort), ClientOptions.DEFAULT);
        shard = ShardSet.write(
                        folder.resolve("shards"),
                        "digits",
                        SyntheticDigits.generate(SAMPLES, 1),
                        SyntheticDigits.generate(100, 2),
                        1)
                .train()
                .get(0);
    }

    @AfterEach
    void endPrograms() throws InterruptedException {
        for (JarProcess program : programs) {
            program.kill();
        }
    }

    @Test
    @Tag("whole")
    void shouldGoOnFromTheWorkersParametersWhenTheServerIsKilledAndComesBackEmpty() throws Exception {
        int workerPort = FreePorts.next();
        JarProcess first = startServer(Map.of());
        startWorker(workerPort);
        CompletableFuture<JsonNode> answer = run(workerPort);
        await().atMost(TIMEOUT).until(() -> server.version().version() > 200);
        String generation = server.version().generation();
        double lossBefore = Objects.requireNonNull(server.status().loss());

        first.kill();
        startServer(Map.of());

        JsonNode reply = answer.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);

        assertThat(reply.path("completed").asBoolean()).as(reply.toString()).isTrue();
        assertThat(reply.path("samples").asLong()).isEqualTo((long) SAMPLES * EPOCHS);
        assertThat(server.version().generation()).isNotEqualTo(generation);
        // Every batch made a push; only the pushes of the lost history are missing, and the worker reports them.
        long steps = reply.path("steps").asLong();
        assertThat(reply.path("pushes").asLong() + reply.path("stale").asLong()).isEqualTo(steps);
        assertThat(reply.path("stale").asLong()).isBetween(1L, 2L);
        // A fresh start would show: the smoothed loss would be ln(10) again.
        assertThat(server.status().loss()).isLessThan(lossBefore);
    }

    @Test
    @Tag("whole")
    void shouldNotHangSynchronousTrainingWhenAWorkerIsKilled() throws Exception {
        int survivorPort = FreePorts.next();
        int victimPort = FreePorts.next();
        // Only the victim's may run out: a worker that has no processor for a while keeps its own.
        startServer(Map.of("PS_MODE", "sync", "PS_LEASE", "10s"));
        startWorker(survivorPort);
        JarProcess victim = startWorker(victimPort);
        CompletableFuture<JsonNode> answer = run(survivorPort);
        CompletableFuture<JsonNode> lost = run(victimPort);
        await().atMost(TIMEOUT)
                .until(() -> server.status().workers().stream()
                                .filter(worker -> worker.applied() > 5)
                                .count()
                        == 2);

        victim.kill();

        JsonNode reply = answer.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        assertThat(reply.path("completed").asBoolean()).as(reply.toString()).isTrue();
        assertThat(reply.path("samples").asLong()).isEqualTo((long) SAMPLES * EPOCHS);
        assertThat(server.status().worstStaleness()).isZero();
        assertThat(lost).isCompletedExceptionally();
    }

    @Test
    void shouldLoseNoGradientWhenAJournaledServerAndAWorkerAreKilled() throws Exception {
        Map<String, String> journaled = Map.of(
                "PS_LEASE", "10m",
                "PS_DURABILITY_MODE", "journal",
                "PS_DURABILITY_LOCATION", folder.resolve("run").toString());
        int survivorPort = FreePorts.next();
        int victimPort = FreePorts.next();
        JarProcess first = startServer(journaled);
        startWorker(survivorPort);
        JarProcess victim = startWorker(victimPort);
        CompletableFuture<JsonNode> answer = run(survivorPort);
        CompletableFuture<JsonNode> lost = run(victimPort);
        await().atMost(TIMEOUT)
                .until(() -> server.status().workers().stream()
                                .filter(worker -> worker.applied() > 20)
                                .count()
                        == 2);
        String generation = server.version().generation();

        victim.kill();
        first.kill();
        startServer(journaled);

        JsonNode reply = answer.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        assertThat(reply.path("completed").asBoolean()).as(reply.toString()).isTrue();
        assertThat(lost).isCompletedExceptionally();
        assertThat(reply.path("stale").asLong()).isZero();
        assertThat(reply.path("pushes").asLong()).isEqualTo(reply.path("steps").asLong());
        StatusReply status = server.status();
        assertThat(status.generation()).isEqualTo(generation);
        // The lease of the killed worker still runs; the survivor has unregistered.
        StatusReply.Worker dead = status.workers().get(0);
        assertThat(dead.sequence()).isEqualTo(dead.applied());
        assertThat(status.version()).isEqualTo(reply.path("pushes").asLong() + dead.applied());
    }

    private JarProcess startServer(Map<String, String> settings) throws IOException {
        Map<String, String> environment = new HashMap<>(settings);
        environment.put("SERVER_PORT", Integer.toString(serverPort));
        environment.put("PS_LEARNINGRATE", "0.02");
        return started(JarProcess.start("ps-service", folder.resolve("ps-service.log"), environment));
    }

    private JarProcess startWorker(int port) throws IOException {
        return started(JarProcess.start(
                "worker-action",
                folder.resolve("worker-%d.log".formatted(port)),
                Map.of("WORKER_PORT", Integer.toString(port), "WORKER_ADDRESS", "127.0.0.1")));
    }

    private JarProcess started(JarProcess program) {
        programs.add(program);
        return program;
    }

    /** Invokes a worker that may still be starting. */
    private CompletableFuture<JsonNode> run(int port) {
        URI worker = URI.create("http://127.0.0.1:" + port);
        await().atMost(TIMEOUT)
                .ignoreExceptions()
                .until(() -> post(worker.resolve("/init"), "{\"value\":{}}").statusCode() == 200);
        String body =
                "{\"value\":{\"batch_sz_train\":32,\"update_intv\":1,\"epoch_n\":%d,\"apihost\":\"127.0.0.1:%d\",\"dataset_url\":\"%s\"}}"
                        .formatted(EPOCHS, serverPort, shard.toUri());
        return http.sendAsync(request(worker.resolve("/run"), body), HttpResponse.BodyHandlers.ofString())
                .thenApply(response -> JsonMapper.builder().build().readTree(response.body()));
    }

    private HttpResponse<String> post(URI uri, String body) throws IOException, InterruptedException {
        return http.send(request(uri, body), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest request(URI uri, String body) {
        return HttpRequest.newBuilder(uri)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }
}
