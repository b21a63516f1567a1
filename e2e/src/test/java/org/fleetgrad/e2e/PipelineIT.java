package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.fleetgrad.files.Sha256;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Whole runs of a network that is cut into stages. */
@Order(14)
class PipelineIT {

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int SAMPLES = 2_000;
    private static final int MICRO_BATCH = 20;

    @TempDir
    private Path folder;

    private FleetgradProcess start(String... more) throws IOException {
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
                "--schedule",
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
        try (FleetgradProcess pipeline = start(more)) {
            int code = pipeline.await(PATIENCE);
            assertThat(code).as(pipeline.stderr()).isZero();
            assertThat(pipeline.programs()).isEmpty();
            return pipeline.lastLineAsJson();
        }
    }

    /** Everything that the stages have at the end: parameters, state, momenta, counters. */
    private Map<String, String> lastParts(String run) throws IOException {
        Map<String, String> digests = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder.resolve(run).resolve("flushes"))) {
            for (Path file : files.filter(each -> each.toString().endsWith(".safetensors"))
                    .toList()) {
                Path name = folder.resolve(run).relativize(file);
                digests.put(name.toString(), Sha256.of(file));
            }
        }
        assertThat(digests).hasSize(2);
        return digests;
    }

    @Test
    void shouldTrainInTwoProcessesAndEndWithTheirFigures() throws Exception {
        JsonNode result = run("--out", "run");

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
        // Each flush was published over the first values, and kept by the server.
        assertThat(result.path("version").asLong()).isEqualTo(4);
        assertThat(folder.resolve("run/checkpoints")).isNotEmptyDirectory();
    }

    @Test
    void shouldGiveTheSameBitsInThreadsAndInProcesses() throws Exception {
        run("--out", "processes", "--places", "processes");
        run("--out", "threads", "--places", "threads");

        assertThat(lastParts("threads")).isEqualTo(lastParts("processes"));
    }

    @Test
    void shouldGoOnAfterAKilledStageAsIfItHadNeverDied() throws Exception {
        run("--out", "whole", "--epochs", "6");
        try (FleetgradProcess pipeline = start("--out", "killed", "--epochs", "6")) {
            await().atMost(PATIENCE).until(() -> pipeline.stderr().contains("flush 3:"));
            List<ProcessHandle> stage = pipeline.programs().stream()
                    .filter(program -> program.info().commandLine().orElse("").contains("--stages 1"))
                    .toList();
            assertThat(stage).hasSize(1);
            stage.get(0).destroyForcibly();

            assertThat(pipeline.await(PATIENCE)).as(pipeline.stderr()).isEqualTo(4);
            assertThat(pipeline.stderr())
                    .containsPattern(
                            "stage 1 died \\(exit code 137;.*; the last flush is \\d+, after \\d+ steps: go on with --resume ");
            assertThat(pipeline.programs()).isEmpty();
        }

        JsonNode resumed = run("--resume", "killed", "--epochs", "6");

        assertThat(resumed.path("samples").asLong()).isEqualTo(6L * SAMPLES);
        assertThat(resumed.path("flushes").asLong()).isEqualTo(24);
        assertThat(lastParts("killed")).isEqualTo(lastParts("whole"));
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
            assertThat(plan.await(PATIENCE)).isEqualTo(3);
            assertThat(plan.stderr()).contains("does not fit the dataset");
        }
        try (FleetgradProcess plan = start("--plan")) {
            assertThat(plan.await(PATIENCE)).as(plan.stderr()).isZero();
            assertThat(Files.readString(folder.resolve("stdout")))
                    .contains("stage", "peak MiB", "conv1 to conv2", "fc1 to fc3", "--cut fc1");
        }
        assertThat(folder.resolve("runs")).doesNotExist();
    }

    @Test
    void shouldRefuseAStageThatDoesNotFitItsMemory() throws Exception {
        try (FleetgradProcess large = start("--memory", "128m", "--out", "run")) {
            assertThat(large.await(PATIENCE)).isEqualTo(3);
            assertThat(large.stderr()).contains("stage 0 of 2 needs", "--memory allows 128");
        }
    }
}
