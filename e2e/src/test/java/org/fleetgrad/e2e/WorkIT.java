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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.datasets.ClassNames;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.datasets.ImageDataset;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.TextDataset;
import org.fleetgrad.datasets.TextSchema;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.datasets.text.CharacterTokenizer;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.protocol.work.WorkPlan.PlannedShard;
import org.fleetgrad.testing.FreePorts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The work of a run while programs are killed and activations are cut short: every sample counts once. */
// Alone, because of its deadlines of seconds.
@Isolated
@Tag("whole")
class WorkIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int SAMPLES = 4000;
    private static final int EPOCHS = 4;
    /** More epochs than one activation can train in its time. */
    private static final int EPOCHS_IN_PARTS = 12;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    private Path folder;

    private final List<JarProcess> programs = new ArrayList<>();
    private int serverPort;
    private PsClient server;
    private List<PlannedShard> shards = List.of();
    private String network = "";

    @BeforeEach
    void prepare() {
        serverPort = FreePorts.next();
        server = new PsClient(URI.create("http://127.0.0.1:" + serverPort), ClientOptions.DEFAULT);
    }

    private void shard(Kind kind) throws IOException {
        ShardSet files = ShardSet.write(folder.resolve("shards"), kind.dataset(), 3);
        network = kind.network;
        shards = IntStream.range(0, 3)
                .mapToObj(i -> new PlannedShard(
                        "shard-" + i,
                        files.train().get(i).toUri().toString(),
                        files.samples().get(i)))
                .toList();
    }

    /** What is trained, in {@value #SAMPLES} samples. */
    enum Kind {
        IMAGES("lenet5"),
        TEXT(Letters.network(1, 16));

        private final String network;

        Kind(String network) {
            this.network = network;
        }

        private Dataset dataset() {
            if (this == IMAGES) {
                ImageSamples train = SyntheticDigits.generate(SAMPLES, 1);
                return new ImageDataset("digits", ClassNames.of("digits", 9), train, SyntheticDigits.generate(100, 2));
            }
            TextSchema schema = new TextSchema(CharacterTokenizer.of(Letters.ALPHABET), 16);
            return TextDataset.of("letters", schema, Letters.of((SAMPLES + 1) * 16), Letters.of(100));
        }
    }

    private WorkPlan plan(int epochs) {
        return new WorkPlan("digits", epochs, shards);
    }

    @AfterEach
    void endPrograms() throws InterruptedException {
        for (JarProcess program : programs) {
            program.kill();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCountEverySampleOnceWhenWorkersAndTheServerAreKilled(Kind kind) throws Exception {
        shard(kind);
        // Only the victim's lease may run out: a worker that has no processor for a while keeps its own.
        Map<String, String> journaled = Map.of(
                "PS_LEASE", "10s",
                "PS_DURABILITY_MODE", "journal",
                "PS_DURABILITY_LOCATION", folder.resolve("run").toString());
        JarProcess first = startServer(journaled);
        await().atMost(TIMEOUT).ignoreExceptions().until(() -> server.version().code() == 200);
        assertThat(server.putWork(plan(EPOCHS)).created()).isTrue();
        Worker survivor = startWorker();
        Worker victim = startWorker();
        CompletableFuture<JsonNode> answer = run(survivor, Optional.empty());
        CompletableFuture<JsonNode> lost = run(victim, Optional.empty());
        await().atMost(TIMEOUT)
                .until(() -> server.status().workers().stream()
                                .filter(worker -> worker.applied() > 10)
                                .count()
                        == 2);

        victim.process().kill();
        first.kill();
        startServer(journaled);
        assertThat(server.putWork(plan(EPOCHS)).created()).isFalse();

        while (!answer.get().path("work").asString().equals("done")) {
            assertThat(answer.get().has("error")).as(answer.get().toString()).isFalse();
            answer = run(survivor, Optional.empty());
        }
        assertThat(lost).isCompletedExceptionally();
        assertAllCountedOnce(server.status(), EPOCHS);
    }

    @Test
    void shouldStopInTimeAndGoOnWhereItWas() throws Exception {
        shard(Kind.IMAGES);
        startServer(Map.of());
        await().atMost(TIMEOUT).ignoreExceptions().until(() -> server.version().code() == 200);
        server.putWork(plan(EPOCHS_IN_PARTS));
        Worker worker = startWorker();

        List<JsonNode> answers = new ArrayList<>();
        do {
            // A cold container needs some time, and cannot know yet how much.
            long deadline = System.currentTimeMillis() + (answers.isEmpty() ? 6_000 : 3_000);
            answers.add(run(worker, Optional.of(deadline)).get());
            assertThat(System.currentTimeMillis())
                    .as("answered before it would be killed")
                    .isLessThan(deadline);
        } while (!answers.get(answers.size() - 1).path("work").asString().equals("done") && answers.size() < 200);

        // The last one has nothing left where the one before it was stopped after the last sample.
        assertThat(answers.subList(0, answers.size() - 1).stream()
                        .map(answer -> answer.path("samples").asLong()))
                .isNotEmpty()
                .allMatch(samples -> samples > 0);
        assertThat(answers.stream()
                        .mapToLong(answer -> answer.path("counted").asLong())
                        .sum())
                .isEqualTo((long) SAMPLES * EPOCHS_IN_PARTS);
        assertAllCountedOnce(server.status(), EPOCHS_IN_PARTS);
    }

    /** Compares with the server's count of samples in applied gradients, which does not use the work's cursors. */
    private static void assertAllCountedOnce(StatusReply status, int epochs) {
        StatusReply.Work work = Optional.ofNullable(status.work()).orElseThrow();
        assertThat(work.done()).isTrue();
        assertThat(work.shardsDone()).isEqualTo(3L * epochs);
        assertThat(work.samples()).isEqualTo((long) SAMPLES * epochs);
        assertThat(status.samples()).isEqualTo((long) SAMPLES * epochs);
    }

    private record Worker(JarProcess process, URI address) {}

    private JarProcess startServer(Map<String, String> settings) throws IOException {
        Map<String, String> environment = new HashMap<>(settings);
        environment.put("SERVER_PORT", Integer.toString(serverPort));
        return started(JarProcess.start("ps-service", folder.resolve("ps-service.log"), environment));
    }

    private Worker startWorker() throws IOException {
        int port = FreePorts.next();
        JarProcess process = started(JarProcess.start(
                "worker-action",
                folder.resolve("worker-%d.log".formatted(port)),
                Map.of("WORKER_PORT", Integer.toString(port), "WORKER_ADDRESS", "127.0.0.1")));
        URI address = URI.create("http://127.0.0.1:" + port);
        await().atMost(TIMEOUT)
                .ignoreExceptions()
                .until(() -> http.send(
                                        request(address.resolve("/init"), "{\"value\":{}}"),
                                        HttpResponse.BodyHandlers.ofString())
                                .statusCode()
                        == 200);
        return new Worker(process, address);
    }

    private JarProcess started(JarProcess program) {
        programs.add(program);
        return program;
    }

    private CompletableFuture<JsonNode> run(Worker worker, Optional<Long> deadline)
            throws ExecutionException, InterruptedException {
        String body =
                "{\"value\":{\"batch_sz_train\":32,\"update_intv\":1,\"apihost\":\"127.0.0.1:%d\",\"shards\":\"queue\",\"network\":\"%s\"}%s}"
                        .formatted(
                                serverPort,
                                network,
                                deadline.map(",\"deadline\":\"%d\""::formatted).orElse(""));
        return http.sendAsync(request(worker.address().resolve("/run"), body), HttpResponse.BodyHandlers.ofString())
                .thenApply(response -> JsonMapper.builder().build().readTree(response.body()));
    }

    private static HttpRequest request(URI uri, String body) {
        return HttpRequest.newBuilder(uri)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }
}
