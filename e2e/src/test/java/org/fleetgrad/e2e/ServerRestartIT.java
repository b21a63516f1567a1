package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorSet;
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
    private static final String NETWORK = Letters.network(2, 64);

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
            JsonNode result = resultAfterKill(train, 10 << 20);
            assertThat(result.path("accuracy").asDouble()).isGreaterThanOrEqualTo(0.9);
            assertThat(result.path("reachedTarget").asBoolean()).isTrue();
            assertThat(result.has("serverRestarts")).isFalse();
            JsonNode report = JsonMapper.builder()
                    .build()
                    .readTree(Files.readString(Path.of(result.path("reportPath").asString())));
            assertThat(report.path("serverRestarts").asInt()).isEqualTo(1);
            assertEveryGradientCounts(report);
        }
    }

    /**
     * One worker trains a text, in two parts: the server of the first is killed, the second continues from its checkpoint. The
     * model has the bits of one that was trained at once and undisturbed.
     */
    @Test
    void shouldComeToTheBitsOfAnUndisturbedRunWhenTheServerOfATextIsKilled() throws Exception {
        try (FleetgradProcess train = text("run", 80)) {
            JsonNode first = resultAfterKill(train, 4 << 20);
            assertThat(first.path("version").asLong()).isEqualTo(80 * 4);
        }
        JsonNode continued = end(text("run", 100, "--resume", "run"));
        JsonNode undisturbed = end(text("undisturbed", 100));

        assertThat(continued.path("version").asLong()).isEqualTo(100 * 4);
        assertThat(continued.path("samplesLost").asLong()).isZero();
        assertThat(continued.path("samplesDoubled").asLong()).isZero();
        assertThat(continued.path("tensorsSha256")).isEqualTo(undisturbed.path("tensorsSha256"));
        assertThat(continued.path("tensorsSha256").asString()).hasSize(64);
        try (FleetgradProcess export = FleetgradProcess.start(
                folder, "model", "export", "--checkpoints", "run/checkpoints", "--out", "exported.safetensors")) {
            assertThat(export.await(TIMEOUT)).as(export.stderr()).isZero();
        }
        assertThat(read("exported.safetensors").data())
                .isEqualTo(read("run/model.safetensors").data());
        assertThat(read("exported.safetensors").metadata())
                .containsEntry(MetadataKeys.TOKENIZER, "characters:" + Letters.ALPHABET)
                .containsEntry(MetadataKeys.NETWORK, NETWORK);
    }

    private TensorSet read(String file) throws Exception {
        return Safetensors.decode(ByteBuffer.wrap(Files.readAllBytes(folder.resolve(file))));
    }

    /** Starts to train the letters: 4 steps of 2 samples in each epoch. */
    private FleetgradProcess text(String out, int epochs, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("train", "--json", "--out", out));
        arguments.addAll(List.of("--data", Letters.write(folder).toString(), "--network", NETWORK));
        arguments.addAll(List.of("--workers", "1", "--batch-size", "2", "--seed", "5"));
        arguments.addAll(List.of("--optimizer", "adamw", "--learning-rate", "0.001"));
        arguments.addAll(List.of("--context", "16", "--epochs", Integer.toString(epochs), "--durability", "journal"));
        arguments.addAll(List.of(more));
        return FleetgradProcess.start(folder, arguments.toArray(String[]::new));
    }

    private static JsonNode end(FleetgradProcess train) throws Exception {
        try (train) {
            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();
            return train.lastLineAsJson();
        }
    }

    /** Kills the server when the journal has so many bytes; returns the result of the run, which goes on. */
    private JsonNode resultAfterKill(FleetgradProcess train, long bytes) throws Exception {
        await().atMost(TIMEOUT).until(() -> bytesOfJournal() > bytes);

        List<ProcessHandle> servers = train.programs().stream()
                .filter(program -> program.info().commandLine().orElse("").contains("ps-service.jar"))
                .toList();
        assertThat(servers).hasSize(1);
        servers.get(0).destroyForcibly();

        assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();
        assertThat(train.stderr())
                .contains("ps-service ended with code 137 and is restarted from its stored state (1 of at most 5");
        return train.lastLineAsJson();
    }

    /**
     * The journal has every acknowledged gradient, so the last version consists of exactly the gradients that workers report
     * as accepted.
     */
    private static void assertEveryGradientCounts(JsonNode report) {
        long taken = 0;
        for (JsonNode activation : report.path("activations")) {
            taken += activation.path("pushes").asLong();
        }
        assertThat(taken).isEqualTo(RunFiles.lastVersion(report));
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
