package org.fleetgrad.e2e.javakind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.fleetgrad.client.PullResult;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.e2e.JarProcess;
import org.fleetgrad.e2e.faults.ServerHost;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.testing.ActionWire;
import org.fleetgrad.testing.ActionWire.Reply;
import org.fleetgrad.testing.FreePorts;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The worker's jar under runtimes of the Java kind: it trains, and answers as the container of the worker does. */
@Timeout(600)
@Tag("whole")
class JavaRuntimeIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int SAMPLES = 640;
    private static final int FAR = 1_000_000;
    private static final int ENDED_BY_SIGTERM = 143;

    /** What no two runs have in common. */
    private static final List<String> MEASURED =
            List.of("seconds", "compute_seconds", "exchange_seconds", "data_seconds", "peak_memory_mib");

    /** In the message of a deadline that has passed. */
    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z");

    private static final List<Run> RUNS = List.of(
            Run.training(1),
            Run.training(2),
            Run.training(1).before(-5),
            Run.of("{}"),
            Run.of("[1,2]"),
            Run.of("{\"apihost\":\"SERVER\"}"),
            Run.of("{\"apihost\":\"SERVER\",\"dataset_url\":\"SHARD\",\"epoch_n\":0}"),
            Run.of("{\"apihost\":\"SERVER\",\"dataset_url\":\"SHARD\",\"epoch_n\":1.5,\"clip_norm\":-1}"),
            Run.of("{\"apihost\":\"❄ ☃\",\"dataset_url\":\"SHARD\"}"),
            Run.of("{\"apihost\":\"SERVER\",\"dataset_url\":\"/no/such\"}"),
            Run.of("{\"apihost\":\"SERVER\",\"dataset_url\":\"SHARD\",\"network\":\"no-such-net\"}"),
            Run.of("{\"apihost\":\"SERVER\",\"dataset_url\":\"SHARD\",\"device\":\"gpu\"}"),
            Run.of("{\"apihost\":\"SERVER\",\"shards\":\"queue\",\"worker\":\"w\"}"),
            Run.training(1));

    @TempDir
    private static Path common;

    private static ServerHost host;
    private static String shard = "";
    /** The answers of the container, in the order of the runs. */
    private static List<JsonNode> expected = List.of();

    @TempDir
    private Path folder;

    private final List<AutoCloseable> open = new ArrayList<>();

    private interface Container {
        Reply run(String body) throws IOException;
    }

    @BeforeAll
    static void askTheContainer() throws Exception {
        host = new ServerHost(common.resolve("servers.log"));
        shard = ShardSet.write(
                        common.resolve("shards"),
                        "digits",
                        SyntheticDigits.generate(SAMPLES, 1),
                        SyntheticDigits.generate(64, 2),
                        1)
                .train()
                .get(0)
                .toString();
        int port = FreePorts.next();
        JarProcess worker = JarProcess.start(
                "worker-action",
                common.resolve("worker.log"),
                Map.of("WORKER_PORT", Integer.toString(port), "WORKER_ADDRESS", "127.0.0.1"));
        try (Site site = new Site(host, common.resolve("server"))) {
            ActionWire wire = ActionWire.local(port);
            await().atMost(TIMEOUT)
                    .ignoreExceptions()
                    .until(() -> wire.post("/init", "{}").status() == 200);
            expected = answers(body -> wire.post("/run", body), site);
        } finally {
            worker.kill();
        }
    }

    @AfterAll
    static void endHost() {
        host.close();
    }

    private static List<JsonNode> answers(Container container, Site site) throws IOException {
        List<JsonNode> answers = new ArrayList<>();
        for (Run run : RUNS) {
            Reply reply = container.run(run.body(site.address(), shard));
            assertThat(reply.status()).as("%s: %s", run, reply.body()).isEqualTo(200);
            ObjectNode answer = (ObjectNode) JsonMapper.shared()
                    .readTree(TIME.matcher(reply.body().replace(site.address(), "SERVER"))
                            .replaceAll("TIME"));
            if (!answer.has("error")) {
                MEASURED.forEach(field ->
                        assertThat(answer.remove(field).doubleValue()).as(field).isPositive());
            }
            answers.add(answer);
        }
        return answers;
    }

    private <T extends AutoCloseable> T kept(T resource) {
        open.add(resource);
        return resource;
    }

    private JavaKindProcess initialized(JavaKind kind, Path jar) throws IOException {
        JavaKindProcess runtime = kept(new JavaKindProcess(kind, folder));
        Reply init = runtime.init(jar, JavaKind.MAIN);
        assertThat(init.status()).as(init.body()).isEqualTo(200);
        assertThat(init.body()).isEqualTo("OK");
        return runtime;
    }

    private Site site() throws IOException {
        return kept(new Site(host, folder.resolve("server")));
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldAnswerFieldForFieldLikeTheContainer(JavaKind kind) throws Exception {
        JavaKindProcess runtime = initialized(kind, JavaKind.WORKER);
        Site site = site();

        List<JsonNode> answers = answers(body -> runtime.post("/run", body), site);

        for (int run = 0; run < RUNS.size(); run++) {
            assertThat(answers.get(run)).as("%s", RUNS.get(run)).isEqualTo(expected.get(run));
        }
        assertThat(answers.get(0).path("warm").asBoolean()).isFalse();
        assertThat(answers.get(1).path("warm").asBoolean()).isTrue();
        assertThat(answers.get(1).path("samples").asInt()).isEqualTo(2 * SAMPLES);
        assertThat(answers.get(2).path("error").asString()).contains("a worker whose time is over cannot register");
        assertThat(site.client().version().version()).isEqualTo(4 * SAMPLES / 32);
        // A runtime may write that a run has ended after it has answered.
        await().atMost(TIMEOUT)
                .untilAsserted(
                        () -> assertThat(runtime.ends()).containsExactly((long) RUNS.size(), (long) RUNS.size()));
        assertThat(runtime.err()).as("libraries write no more than warnings").doesNotContain("INFO");
    }

    @ParameterizedTest
    @EnumSource(names = {"OFFICIAL", "OURS"})
    void shouldStopBeforeItsDeadlineAndBeWarmThen(JavaKind kind) throws Exception {
        JavaKindProcess runtime = initialized(kind, JavaKind.WORKER);
        Site site = site();
        // The time of a cold start is not the deadline's.
        runtime.post("/run", Run.training(1).body(site.address(), shard)).json();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);

        JsonNode stopped = runtime.post("/run", Run.training(FAR).before(5).body(site.address(), shard))
                .json();
        long left = deadline - System.nanoTime();
        JsonNode warm = runtime.post("/run", Run.training(1).body(site.address(), shard))
                .json();

        assertThat(stopped.path("completed").asBoolean(true)).as("%s", stopped).isFalse();
        assertThat(stopped.path("pushes").asInt()).isPositive();
        assertThat(left).as("nanoseconds left").isPositive();
        assertThat(warm.path("completed").asBoolean()).as("%s", warm).isTrue();
        assertThat(warm.path("warm").asBoolean()).isTrue();
        assertThat(site.client().version().version())
                .isEqualTo(stopped.path("pushes").asLong() + 2 * SAMPLES / 32);
    }

    @ParameterizedTest
    @EnumSource(names = {"OFFICIAL_WITH_WORKER", "OURS"})
    void shouldTrainANetworkThatASmallJarBrings(JavaKind kind) throws Exception {
        assertThat(Files.size(JavaKind.OWN_NETWORK)).isLessThan(30_000);
        JavaKindProcess runtime = initialized(kind, JavaKind.OWN_NETWORK);
        Site site = site();
        Run run = Run.of(Run.training(1).value().replace("{", "{\"network\":\"my-net\","));

        JsonNode cold = runtime.post("/run", run.body(site.address(), shard)).json();
        JsonNode warm = runtime.post("/run", run.body(site.address(), shard)).json();

        assertThat(cold.path("completed").asBoolean()).as("%s", cold).isTrue();
        assertThat(warm.path("warm").asBoolean()).as("%s", warm).isTrue();
        assertThat(warm.path("avg_loss").asDouble())
                .as("it learns")
                .isLessThan(cold.path("avg_loss").asDouble());
        assertThat(site.client().pull())
                .isInstanceOfSatisfying(
                        PullResult.Pulled.class,
                        pulled -> assertThat(pulled.parameters().metadata())
                                .containsEntry(MetadataKeys.NETWORK, "my-net?classes=10&input=1x28x28"));
    }

    /** OpenWhisk's invoker never does this; other hosts of containers do. */
    @Test
    void shouldAnswerTheRunInProgressWhenOurRuntimeIsToldToStop() throws Exception {
        JavaKindProcess runtime = initialized(JavaKind.OURS, JavaKind.WORKER);
        Site site = site();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        Thread asking = new Thread(() -> {
            try {
                answer.complete(runtime.post("/run", Run.training(FAR).body(site.address(), shard))
                        .json());
            } catch (IOException failed) {
                answer.completeExceptionally(failed);
            }
        });
        asking.start();
        await().atMost(TIMEOUT).until(() -> site.client().version().version() > 3);

        runtime.terminate();

        JsonNode stopped = answer.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        assertThat(stopped.path("completed").asBoolean(true)).as("%s", stopped).isFalse();
        assertThat(runtime.exitCode()).isEqualTo(ENDED_BY_SIGTERM);
        assertThat(site.client().version().version())
                .isEqualTo(stopped.path("pushes").asLong());
    }
}
