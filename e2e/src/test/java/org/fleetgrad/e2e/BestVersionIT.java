package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The best evaluated version of whole runs: of one whose patience ends, and of one that is stopped. */
@Tag("whole")
class BestVersionIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    @TempDir
    private Path folder;

    /** Digits that are learned within an epoch: soon nothing gets better, and the target is out of reach. */
    @Test
    void shouldEndWithTheBestVersionWhenNothingGetsBetter() throws Exception {
        try (FleetgradProcess train = FleetgradProcess.start(
                folder,
                "train",
                "--json",
                "--out",
                "run",
                "--train-samples",
                "4000",
                "--epochs",
                "200",
                "--target-loss",
                "0.000001",
                "--patience",
                "3",
                "--min-delta",
                "0.02")) {
            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();

            JsonNode result = train.lastLineAsJson();
            assertThat(result.path("ended").asString()).as(train.stderr()).isEqualTo("patience");
            assertThat(train.stderr()).contains("the patience is at its end", "the best evaluated version of the run");
            JsonNode best = result.path("best");
            assertThat(best.path("written").asBoolean()).isTrue();
            assertThat(best.path("version")).isEqualTo(result.path("version"));
            assertThat(best.path("accuracy")).isEqualTo(result.path("accuracy"));
            TensorSet model = Safetensors.map(Path.of(result.path("modelPath").asString()));
            assertThat(export("--best").data()).as("the same bits").isEqualTo(model.data());
        }
        JsonNode listed = list();
        assertThat(listed.path("best").path("notes").path("accuracy").asString())
                .isNotEmpty();
        assertThat(listed.path("checkpoints").size()).isPositive();
    }

    @Test
    void shouldLeaveTheBestVersionAndAReportWhenItIsStopped() throws Exception {
        try (FleetgradProcess demo = FleetgradProcess.start(
                folder, "train", "--keep", "--out", "run", "--target-accuracy", "1", "--epochs", "200")) {
            await().atMost(TIMEOUT).until(() -> hasBest(folder.resolve("run")));

            demo.terminate();

            demo.await(Duration.ofSeconds(60));
            assertThat(demo.stderr())
                    .contains("stopped: accuracy ", "the best evaluated one", "fleetgrad model export --checkpoints ")
                    .doesNotContain("Exception", "unexpected");
        }
        Path run = folder.resolve("run");
        JsonNode result = JsonMapper.builder()
                .build()
                .readTree(Files.readString(run.resolve("report.json")))
                .path("result");
        assertThat(result.path("ended").asString()).isEqualTo("stopped");
        assertThat(Files.readString(run.resolve("report.html"))).contains("The run was stopped.");
        TensorSet model = Safetensors.map(run.resolve("model.safetensors"));
        assertThat(model.metadata())
                .containsEntry("version", result.path("version").asString());
        assertThat(export("--best").data()).isEqualTo(model.data());
    }

    private static boolean hasBest(Path run) throws IOException {
        Path best = run.resolve("checkpoints/best");
        if (!Files.isDirectory(best)) {
            return false;
        }
        try (var versions = Files.list(best)) {
            return versions.anyMatch(version -> Files.exists(version.resolve("manifest.json")));
        }
    }

    private JsonNode list() throws Exception {
        try (FleetgradProcess list =
                FleetgradProcess.start(folder, "model", "list", "--json", "--checkpoints", "run")) {
            assertThat(list.await(TIMEOUT)).as(list.stderr()).isZero();
            return list.lastLineAsJson();
        }
    }

    private TensorSet export(String which) throws Exception {
        Path out = folder.resolve("exported.safetensors");
        List<String> command = List.of("model", "export", which, "--checkpoints", "run", "--out", out.toString());
        try (FleetgradProcess export = FleetgradProcess.start(folder, command.toArray(String[]::new))) {
            assertThat(export.await(TIMEOUT)).as(export.stderr()).isZero();
        }
        return Safetensors.map(out);
    }
}
