package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The parameter server of a fleetgrad run is killed in the middle of the run. */
@Order(11)
@Tag("whole")
class ServerRestartIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);

    @TempDir
    private Path folder;

    @Test
    void shouldEndAtItsTargetWhenTheServerIsKilled() throws Exception {
        try (FleetgradProcess train = FleetgradProcess.start(
                folder,
                "train",
                "--json",
                "--out",
                "run",
                "--target-accuracy",
                "0.9",
                "--train-samples",
                "12000",
                "--test-samples",
                "1000",
                "--durability",
                "journal")) {
            await().atMost(TIMEOUT).until(() -> bytesOfJournal() > 10 << 20);

            List<ProcessHandle> servers = train.programs().stream()
                    .filter(program -> program.info().commandLine().orElse("").contains("ps-service.jar"))
                    .toList();
            assertThat(servers).hasSize(1);
            servers.get(0).destroyForcibly();

            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();
            assertThat(train.stderr())
                    .contains("ps-service ended with code 137 and is restarted from its stored state (1 of at most 5");
            JsonNode result = train.lastLineAsJson();
            assertThat(result.path("accuracy").asDouble()).isGreaterThanOrEqualTo(0.9);
            assertThat(result.path("reachedTarget").asBoolean()).isTrue();
            assertThat(result.has("serverRestarts")).isFalse();
            JsonNode report = JsonMapper.builder()
                    .build()
                    .readTree(Files.readString(Path.of(result.path("reportPath").asString())));
            assertThat(report.path("serverRestarts").asInt()).isEqualTo(1);
            assertEveryGradientCounts(report, result);
        }
    }

    /**
     * The journal has every acknowledged gradient, so the model consists of exactly the gradients that workers report
     * as accepted.
     */
    private static void assertEveryGradientCounts(JsonNode report, JsonNode result) {
        long taken = 0;
        for (JsonNode activation : report.path("activations")) {
            taken += activation.path("pushes").asLong();
        }
        assertThat(taken).isEqualTo(result.path("version").asLong());
    }

    private long bytesOfJournal() throws Exception {
        Path journal = folder.resolve("run/checkpoints/journal");
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
