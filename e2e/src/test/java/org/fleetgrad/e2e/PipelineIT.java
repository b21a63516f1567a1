package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.files.Sha256;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Whole runs of a network that is cut into stages. */
@Order(14)
@Tag("whole")
class PipelineIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final int SAMPLES = 2_000;
    private static final int MICRO_BATCH = 20;

    /** A run that several tests look at. */
    private static JsonNode first;

    private static Path firstFolder;

    @TempDir
    private Path folder;

    @BeforeAll
    static void trainOnce(@TempDir Path own) throws Exception {
        firstFolder = own.resolve("run");
        first = run(own, "--out", "run");
    }

    private FleetgradProcess start(String... more) throws IOException {
        return start(folder, more);
    }

    private static FleetgradProcess start(Path folder, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "pipeline",
                "--json",
                "--train-samples",
                Integer.toString(SAMPLES),
                "--test-samples",
                "200",
                "--micro-batch",
                Integer.toString(MICRO_BATCH),
                "--flush",
                "25",
                "--cut",
                "fc1",
                "--pipeline-schedule",
                "1f1b",
                "--stash",
                "--predict",
                "aggmsnag",
                "--gap-aware",
                "--weight-decay",
                "0.0005"));
        arguments.addAll(List.of(more));
        return FleetgradProcess.start(folder, arguments.toArray(String[]::new));
    }

    private JsonNode run(String... more) throws Exception {
        return run(folder, more);
    }

    private static JsonNode run(Path folder, String... more) throws Exception {
        try (FleetgradProcess pipeline = start(folder, more)) {
            int code = pipeline.await(TIMEOUT);
            assertThat(code).as(pipeline.stderr()).isZero();
            assertThat(pipeline.programs()).isEmpty();
            return pipeline.lastLineAsJson();
        }
    }

    /** Everything that the stages have at the end: parameters, state, momenta, counters. */
    private static Map<String, String> lastParts(Path run) throws IOException {
        Map<String, String> digests = new TreeMap<>();
        try (Stream<Path> files = Files.walk(run.resolve("flushes"))) {
            for (Path file : files.filter(each -> each.toString().endsWith(".safetensors"))
                    .toList()) {
                Path name = run.relativize(file);
                digests.put(name.toString(), Sha256.of(file));
            }
        }
        assertThat(digests).hasSize(2);
        return digests;
    }

    @Test
    void shouldTrainInTwoProcessesAndEndWithTheirFigures() throws Exception {
        JsonNode result = first;

        assertThat(result.path("samples").asLong()).isEqualTo(SAMPLES);
        assertThat(result.path("steps").asLong()).isEqualTo(SAMPLES / MICRO_BATCH);
        assertThat(result.path("flushes").asLong()).isEqualTo(4);
        assertThat(result.path("accuracy").asDouble()).isGreaterThan(0.2);
        assertThat(result.path("bubble").asDouble()).isBetween(0.0, 1.0);
        assertThat(result.path("samplesPerSecond").asDouble()).isPositive();
        // The first micro-batch of each of four windows is fresh.
        assertThat(result.path("staleness").get(0).asDouble()).isEqualTo(0.96);
        assertThat(result.path("staleness").get(1).asDouble()).isZero();
        assertThat(result.path("liveVersions").get(0).asInt()).isEqualTo(2);
        assertThat(result.path("liveVersions").get(1).asInt()).isEqualTo(1);
        assertThat(result.path("peakMiB").get(0).asDouble()).isGreaterThan(50);
        assertThat(Path.of(result.path("modelPath").asString(""))).isRegularFile();
        assertThat(Files.readString(Path.of(result.path("timelinePath").asString(""))))
                .contains("<svg");
        assertThat(result.path("trainAccuracy").asDouble()).isBetween(0.1, 1.0);
        // Each flush was published, and its version is the number of steps, as in any run.
        assertThat(result.path("version").asLong()).isEqualTo(SAMPLES / MICRO_BATCH);
        assertThat(firstFolder.resolve("checkpoints")).isNotEmptyDirectory();
    }

    /** In processes, of which one is killed, and then stopped, a run gives the bits of a run in threads that nothing disturbed. */
    @Test
    void shouldGoOnAfterAKilledStageAndAStopWithTheBitsOfARunInThreads() throws Exception {
        JsonNode undisturbed = run("--out", "threads", "--places", "threads", "--epochs", "3");
        try (FleetgradProcess pipeline = start("--out", "killed", "--epochs", "3")) {
            await().atMost(TIMEOUT).until(() -> pipeline.stderr().contains("flush 3:"));
            List<ProcessHandle> stage = pipeline.programs().stream()
                    .filter(program -> program.info().commandLine().orElse("").contains("--stages 1"))
                    .toList();
            assertThat(stage).hasSize(1);
            stage.get(0).destroyForcibly();

            assertThat(pipeline.await(TIMEOUT)).as(pipeline.stderr()).isEqualTo(4);
            assertThat(pipeline.stderr())
                    .containsPattern(
                            "stage 1 died \\(exit code 137;.*; the last flush is \\d+, after \\d+ steps: go on with --resume ");
            assertThat(pipeline.programs()).isEmpty();
        }

        try (FleetgradProcess pipeline = start("--resume", "killed", "--epochs", "3")) {
            Pattern flush = Pattern.compile("flush \\d+: ");
            await().atMost(TIMEOUT).until(() -> flush.matcher(pipeline.stderr()).find());
            pipeline.terminate();

            assertThat(pipeline.await(TIMEOUT)).as(pipeline.stderr()).isEqualTo(143);
            assertThat(pipeline.stderr())
                    .containsPattern("stopped: .*; the model is \\S+model\\.safetensors, the result ")
                    .contains("go on: fleetgrad pipeline --resume ");
            assertThat(folder.resolve("killed/model.safetensors")).exists();
            assertThat(folder.resolve("killed/pipeline.json")).content().contains("\"ended\":\"stopped\"");
            assertThat(pipeline.programs()).isEmpty();
        }

        JsonNode resumed = run("--resume", "killed", "--epochs", "3");

        assertThat(resumed.path("samples").asLong()).isEqualTo(3L * SAMPLES);
        assertThat(resumed.path("flushes").asLong()).isEqualTo(12);
        assertThat(lastParts(folder.resolve("killed"))).isEqualTo(lastParts(folder.resolve("threads")));
        assertThat(resumed.path("tensorsSha256")).isEqualTo(undisturbed.path("tensorsSha256"));
    }

    @Test
    void shouldBeARunLikeAnyOtherAndLeaveNothingBehindWhenTheDriverIsKilled() throws Exception {
        try (FleetgradProcess pipeline = start("--out", "watched", "--epochs", "40")) {
            await().atMost(TIMEOUT).until(() -> pipeline.stderr().contains("flush 3:"));
            Matcher address = Pattern.compile("ps-service at (\\S+?),").matcher(pipeline.stderr());
            assertThat(address.find()).isTrue();
            PsClient server = new PsClient(URI.create(address.group(1)), ClientOptions.DEFAULT);

            // Version and counts of a flush are not read in one moment.
            await().atMost(TIMEOUT).untilAsserted(() -> {
                StatusReply status = server.status();
                assertThat(status.version()).isEqualTo(status.samples() / MICRO_BATCH);
                assertThat(status.samples()).isGreaterThanOrEqualTo(1_500);
                assertThat(status.loss()).isBetween(0.001, 3.0);
                assertThat(status.meanStaleness()).isBetween(0.4, 0.5);
                assertThat(status.worstStaleness()).isEqualTo(1);
                assertThat(status.workers())
                        .extracting(StatusReply.Worker::id)
                        .containsExactlyInAnyOrder("stage-0", "stage-1");
                assertThat(Objects.requireNonNull(status.work()).samples()).isEqualTo(status.samples());
                assertThat(server.history().points()).anySatisfy(point -> {
                    assertThat(point.samplesPerSecond()).isPositive();
                    assertThat(point.loss()).isPositive();
                    assertThat(point.workers()).isEqualTo(2);
                });
            });

            List<ProcessHandle> programs = pipeline.programs();
            assertThat(programs).hasSize(4);
            pipeline.kill();

            await().atMost(TIMEOUT).until(() -> programs.stream().noneMatch(ProcessHandle::isAlive));
        }
    }

    @Test
    void shouldBeginWithTheValuesOfAModel() throws Exception {
        String model = first.path("modelPath").asString("");

        // Nothing is left to learn in one step, so the accuracy is about that of the model.
        JsonNode second = run("--out", "second", "--from", model, "--max-steps", "1", "--learning-rate", "1e-9");

        assertThat(second.path("accuracy").asDouble())
                .isEqualTo(first.path("accuracy").asDouble());
        assertThat(second.path("steps").asLong()).isEqualTo(1);
        assertThat(folder.resolve("second/flushes/beginning.safetensors")).doesNotExist();
        try (FleetgradProcess other = start("--out", "third", "--from", model, "--network", "mnist-cnn")) {
            assertThat(other.await(TIMEOUT)).isEqualTo(3);
            assertThat(other.stderr()).contains("--from ", model, "need the tensor");
        }
    }

    @Test
    void shouldShowThePlanAndRunNothing() throws Exception {
        try (FleetgradProcess plan = FleetgradProcess.start(
                folder,
                "pipeline",
                "--network",
                "resnet20?input=3x32x32",
                "--stages",
                "3",
                "--plan",
                "--train-samples",
                "100")) {
            // The generated digits have another shape: the message says so before anything is measured.
            assertThat(plan.await(TIMEOUT)).isEqualTo(3);
            assertThat(plan.stderr()).contains("does not fit the dataset");
        }
        try (FleetgradProcess plan = start("--plan")) {
            assertThat(plan.await(TIMEOUT)).as(plan.stderr()).isZero();
            assertThat(Files.readString(folder.resolve("stdout")))
                    .contains("stage", "peak MiB", "conv1 to conv2", "fc1 to fc3", "--cut fc1");
        }
        assertThat(folder.resolve("runs")).doesNotExist();
    }

    @Test
    void shouldRefuseAStageThatDoesNotFitItsMemory() throws Exception {
        try (FleetgradProcess large = start("--memory", "128m", "--out", "run")) {
            assertThat(large.await(TIMEOUT)).isEqualTo(3);
            assertThat(large.stderr()).contains("stage 0 of 2 needs", "--memory allows 128");
        }
    }
}
