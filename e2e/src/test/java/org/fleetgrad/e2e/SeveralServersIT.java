package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs with several parameter servers, as fleetgrad starts them. */
@Order(2)
@Timeout(900)
@Tag("whole")
class SeveralServersIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    @TempDir
    private Path folder;

    @Test
    void shouldCountEachSampleOnceWhenEachOfTwoServersIsKilled() throws Exception {
        try (FleetgradProcess train = FleetgradProcess.start(
                folder,
                "train",
                "--json",
                "--servers",
                "2",
                "--out",
                "run",
                "--epochs",
                "2",
                "--target-accuracy",
                "1",
                "--train-samples",
                "8000",
                "--test-samples",
                "1000",
                // Under look-ahead the model is the look-ahead point, and the checkpoint has the parameters themselves.
                "--staleness",
                "none",
                "--durability",
                "journal")) {
            await().atMost(TIMEOUT).until(() -> bytesOfJournal(1) > 4 << 20);
            servers(train).get(1).destroyForcibly();
            await().atMost(TIMEOUT).until(() -> Files.exists(folder.resolve("run/logs/ps-service-1-restart-1.log")));
            long before = bytesOfJournal(0);
            await().atMost(TIMEOUT).until(() -> bytesOfJournal(0) > before + (2 << 20));
            // The lead is started first, so it is the oldest process.
            servers(train).get(0).destroyForcibly();

            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();
            assertThat(train.stderr())
                    .contains("ps-service-1 ended with code 137 and is restarted from its stored state (1 of at most 5")
                    .contains(
                            "ps-service-0 ended with code 137 and is restarted from its stored state (1 of at most 5");
            JsonNode result = train.lastLineAsJson();
            JsonNode report = JsonMapper.builder()
                    .build()
                    .readTree(Files.readString(Path.of(result.path("reportPath").asString())));
            assertThat(result.path("samples").asLong()).isEqualTo(16_000);
            assertThat(result.path("samplesLost").asLong()).isZero();
            assertThat(result.path("samplesDoubled").asLong()).isZero();
            assertThat(report.path("serverRestarts").asInt()).isEqualTo(2);
            assertThat(report.path("settings").path("servers").asInt()).isEqualTo(2);
            assertThat(result.path("accuracy").asDouble()).isGreaterThan(0.8);
        }
        assertExportIsTheModel();
        assertFileBegins();
    }

    /** Combines everything that makes a gradient late, with the smaller steps that stale gradients need. */
    @Test
    void shouldTrainWithBoundedStalenessOverlapAndEncodings() throws Exception {
        try (FleetgradProcess train = FleetgradProcess.start(
                folder,
                "train",
                "--json",
                "--servers",
                "2",
                "--mode",
                "ssp",
                "--max-lead",
                "2",
                "--overlap",
                "--encoding",
                "bf16",
                "--pull-encoding",
                "i8",
                "--learning-rate",
                "0.004",
                "--epochs",
                "2",
                "--target-accuracy",
                "1",
                "--train-samples",
                "8000",
                "--test-samples",
                "1000")) {
            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();
            JsonNode result = train.lastLineAsJson();
            assertThat(result.path("samples").asLong()).isEqualTo(16_000);
            assertThat(result.path("samplesLost").asLong()).isZero();
            assertThat(result.path("samplesDoubled").asLong()).isZero();
            assertThat(result.path("accuracy").asDouble()).isGreaterThan(0.5);
        }
    }

    /** The export of the run's last checkpoints equals the model that the run wrote. */
    private void assertExportIsTheModel() throws Exception {
        try (FleetgradProcess export = FleetgradProcess.start(
                folder, "model", "export", "--checkpoints", "run/checkpoints", "--out", "exported.safetensors")) {
            assertThat(export.await(TIMEOUT)).as(export.stderr()).isZero();
        }
        TensorSet exported = read("exported.safetensors");
        TensorSet model = read("run/model.safetensors");
        assertThat(exported.toFloats(model.layout())).isEqualTo(model.toFloats(model.layout()));
        assertThat(exported.metadata()).doesNotContainKeys("partition", "partition-layout", "partition-origin");
    }

    private void assertFileBegins() throws Exception {
        try (FleetgradProcess resumed = FleetgradProcess.start(
                folder,
                "train",
                "--json",
                "--servers",
                "3",
                "--mode",
                "sync",
                "--from",
                "exported.safetensors",
                "--out",
                "resumed",
                "--epochs",
                "1",
                "--target-accuracy",
                "0.8",
                "--train-samples",
                "4000",
                "--test-samples",
                "1000")) {
            assertThat(resumed.await(TIMEOUT)).as(resumed.stderr()).isZero();
            assertThat(resumed.lastLineAsJson().path("accuracy").asDouble()).isGreaterThan(0.8);
            assertThat(resumed.lastLineAsJson().path("samplesDoubled").asLong()).isZero();
        }
        assertThat(folder.resolve("resumed/checkpoints/2")).isDirectory();
    }

    private TensorSet read(String file) throws Exception {
        return Safetensors.decode(ByteBuffer.wrap(Files.readAllBytes(folder.resolve(file))));
    }

    private static List<ProcessHandle> servers(FleetgradProcess train) {
        return train.programs().stream()
                .filter(program -> program.info().commandLine().orElse("").contains("ps-service.jar"))
                .sorted(Comparator.comparing(
                        program -> program.info().startInstant().orElse(Instant.MAX)))
                .toList();
    }

    private long bytesOfJournal(int server) throws IOException {
        Path journal = folder.resolve("run/checkpoints/%d/journal".formatted(server));
        if (!Files.isDirectory(journal)) {
            return 0;
        }
        try (Stream<Path> files = Files.list(journal)) {
            long bytes = 0;
            for (Path file : files.toList()) {
                bytes += Files.size(file);
            }
            return bytes;
        }
    }
}
