package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.store.LocalS3;
import org.fleetgrad.testing.FreePorts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run without a driver, as in Docker Compose and Kubernetes: the programs only wait for each other. */
@Tag("whole")
class StandaloneIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int SAMPLES = 3000;
    private static final int EPOCHS = 6;
    private static final int STOPPED = 128 + 15;

    @TempDir
    private Path folder;

    private final List<JarProcess> programs = new ArrayList<>();
    private URI address = URI.create("http://127.0.0.1");
    private LocalS3 store;
    private PsClient reader;

    @BeforeEach
    void prepare() throws IOException {
        address = URI.create("http://127.0.0.1:" + FreePorts.next());
        ShardSet.write(
                folder.resolve("shards"),
                "digits",
                SyntheticDigits.generate(SAMPLES, 1),
                SyntheticDigits.generate(300, 2),
                3);
        store = new LocalS3();
        reader = new PsClient(address, ClientOptions.DEFAULT)
                .withCredentials(new Credentials("reader", secret("reader")));
    }

    @AfterEach
    void endPrograms() throws InterruptedException {
        for (JarProcess program : programs) {
            program.kill();
        }
        store.close();
    }

    @Test
    void shouldTrainUntilTheWorkIsDoneWhateverStartsFirstAndWhoeverDies() throws Exception {
        JarProcess survivor = worker("survivor", socket().toString());
        JarProcess victim = worker("victim");
        JarProcess stopped = worker("stopped");
        startInferenceApi();
        JarProcess upload = tools(
                "upload",
                "--bucket",
                "datasets",
                "--prefix",
                "digits/",
                folder.resolve("shards").toString());
        assertThat(upload.await(TIMEOUT)).as(log("dataset-tools")).isZero();
        JarProcess putWork = putWork();
        startServer();
        assertThat(putWork.await(TIMEOUT)).as(log("dataset-tools")).isZero();

        await().atMost(TIMEOUT)
                .ignoreExceptions()
                .until(() -> Objects.requireNonNull(reader.status().work()).samples() > SAMPLES / 2);
        JarProcess added = stayingWorker("added");
        victim.kill();
        stopped.signal("TERM");
        assertThat(stopped.await(TIMEOUT)).as(log("stopped")).isEqualTo(STOPPED);
        assertThat(putWork().await(TIMEOUT)).as("its addresses are renewed").isZero();

        assertThat(survivor.await(TIMEOUT)).as(log("survivor")).isZero();
        await().atMost(TIMEOUT).until(() -> log("added").contains("the work is done; waits for more"));
        added.signal("TERM");
        assertThat(added.await(TIMEOUT)).as(log("added")).isEqualTo(STOPPED);
        StatusReply status = reader.status();
        StatusReply.Work work = Objects.requireNonNull(status.work());
        assertThat(work.done()).isTrue();
        assertThat(work.samples()).isEqualTo((long) SAMPLES * EPOCHS);
        assertThat(status.samples()).as("each counted once").isEqualTo((long) SAMPLES * EPOCHS);
        assertThat(worker("late").await(TIMEOUT)).as("nothing is left").isZero();
        await().atMost(TIMEOUT)
                .until(() -> Objects.requireNonNullElse(reader.accuracy().version(), 0L) == status.version());
        assertThat(Objects.requireNonNull(reader.accuracy().accuracy()))
                .as("guessing is right once in ten")
                .isGreaterThan(0.5);
        assertThat(log("ps-service")).contains("Starting AOT-processed PsServiceApplication");
        assertThat(log("survivor")).endsWith("the work is done\n").doesNotContain("\tat ", secret("worker"));
    }

    @Test
    void shouldEndWithTheReasonWhenItsKeysAreWrong() throws Exception {
        startServer();
        JarProcess worker = start(
                "worker-action",
                "keyless",
                List.of("run", "{\"apihost\":\"%s\"}".formatted(address)),
                Map.of("FLEETGRAD_ACCESS_KEY", "worker", "FLEETGRAD_SECRET_KEY", "not-the-secret"));

        assertThat(worker.await(TIMEOUT)).isEqualTo(3);

        assertThat(log("keyless"))
                .endsWith("POST /registerWorker: 401 the keys are those of no role\n")
                .doesNotContain("\tat ", "not-the-secret");
    }

    private void startServer() throws IOException {
        Map<String, String> settings = new HashMap<>();
        settings.put("SERVER_PORT", Integer.toString(address.getPort()));
        settings.put("PS_UNIXSOCKET", socket().getPath());
        // Only the victim's may run out: a worker that has no processor for a while keeps its own.
        settings.put("PS_LEASE", "10s");
        settings.put("PS_LEARNINGRATE", "0.7");
        settings.put("PS_OPTIMIZER", "sgd");
        settings.put("PS_LOCAL_STEPS", "4");
        for (String role : List.of("worker", "reader", "evaluator", "operator")) {
            String name = "PS_SECURITY_KEYS_%s_".formatted(role.toUpperCase(Locale.ROOT));
            settings.put(name + "ACCESSKEY", role);
            settings.put(name + "SECRETKEY", secret(role));
        }
        start("ps-service", "ps-service", List.of(), settings);
    }

    private void startInferenceApi() throws IOException {
        Map<String, String> settings = s3();
        settings.put("SERVER_PORT", Integer.toString(FreePorts.next()));
        settings.put("INFERENCE_SERVER", address.toString());
        settings.put("INFERENCE_ACCESSKEY", "evaluator");
        settings.put("INFERENCE_SECRETKEY", secret("evaluator"));
        settings.put("INFERENCE_TESTSHARD", "s3://datasets/digits");
        start("inference-api", "inference-api", List.of(), settings);
    }

    /** A server's socket on this machine, for one of the workers. */
    private URI socket() {
        return URI.create("unix:" + folder.resolve("ps.sock"));
    }

    private JarProcess worker(String name) throws IOException {
        return worker(name, address.toString());
    }

    private JarProcess worker(String name, String server) throws IOException {
        return worker(name, server, Map.of());
    }

    /** As a pod of a Deployment. */
    private JarProcess stayingWorker(String name) throws IOException {
        return worker(name, address.toString(), Map.of("WORKER_WHEN_DONE", "wait"));
    }

    private JarProcess worker(String name, String server, Map<String, String> more) throws IOException {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("FLEETGRAD_ACCESS_KEY", "worker");
        settings.put("FLEETGRAD_SECRET_KEY", secret("worker"));
        return start(
                "worker-action",
                name,
                List.of("run", "{\"apihost\":\"%s\",\"update_intv\":1}".formatted(server)),
                settings);
    }

    private JarProcess putWork() throws IOException {
        return tools(
                "put-work",
                "s3://datasets/digits",
                "--server",
                address.toString(),
                "--epochs",
                Integer.toString(EPOCHS));
    }

    private JarProcess tools(String... arguments) throws IOException {
        Map<String, String> settings = s3();
        settings.put("FLEETGRAD_ACCESS_KEY", "operator");
        settings.put("FLEETGRAD_SECRET_KEY", secret("operator"));
        return start("dataset-tools", "dataset-tools", List.of(arguments), settings);
    }

    private Map<String, String> s3() {
        return new HashMap<>(Map.of(
                "S3_ENDPOINT", store.endpoint().toString(),
                "S3_ACCESS_KEY", LocalS3.CREDENTIALS.accessKey(),
                "S3_SECRET_KEY", LocalS3.CREDENTIALS.secretKey()));
    }

    private JarProcess start(String module, String name, List<String> arguments, Map<String, String> settings)
            throws IOException {
        JarProcess program = JarProcess.start(module, arguments, folder.resolve(name + ".log"), settings);
        programs.add(program);
        return program;
    }

    private String log(String name) throws IOException {
        return Files.readString(folder.resolve(name + ".log"));
    }

    private static String secret(String role) {
        return "secret-of-" + role;
    }
}
