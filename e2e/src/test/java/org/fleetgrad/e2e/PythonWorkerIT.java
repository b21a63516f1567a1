package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fleetgrad.e2e.python.PythonProgram;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The example in PyTorch joins a run that {@code fleetgrad train} started with one worker in Java. */
@Order(12)
@Tag("whole")
class PythonWorkerIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final Pattern SERVER = Pattern.compile("ps-service at (http:[^,;\\s]+)");
    private static final int SAMPLES = 12_000;
    private static final int EPOCHS = 1;

    @TempDir
    private Path folder;

    @Test
    void shouldTrainInOneRunWithAWorkerInJava() throws Exception {
        Python.require();
        try (FleetgradProcess train = FleetgradProcess.start(
                folder,
                "train",
                "--json",
                "--out",
                "run",
                "--mode",
                "sync",
                "--workers",
                "1",
                "--epochs",
                Integer.toString(EPOCHS),
                "--target-accuracy",
                "1",
                "--train-samples",
                Integer.toString(SAMPLES),
                "--test-samples",
                "1000")) {
            String server = await().atMost(TIMEOUT)
                    .until(() -> server(train), Optional::isPresent)
                    .orElseThrow();
            JsonNode counts;
            try (PythonProgram python =
                    PythonProgram.start("examples/python-worker/train.py", folder.resolve("python.out"), server)) {
                counts = JsonMapper.shared().readTree(python.await(TIMEOUT));
            }
            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();

            JsonNode result = train.lastLineAsJson();
            assertThat(result.path("accuracy").asDouble()).isGreaterThan(0.8);
            assertThat(result.path("samples").asLong()).isEqualTo((long) EPOCHS * SAMPLES);
            assertThat(result.path("samplesLost").asLong()).isZero();
            assertThat(result.path("samplesDoubled").asLong()).isZero();
            long pushes = 0;
            for (JsonNode activation : JsonMapper.shared()
                    .readTree(Files.readString(Path.of(result.path("reportPath").asString())))
                    .path("activations")) {
                pushes += activation.path("pushes").asLong();
            }
            assertThat(counts.path("samples").asLong()).isPositive().isLessThan((long) EPOCHS * SAMPLES);
            assertThat(pushes).isPositive();
        }
    }

    private static Optional<String> server(FleetgradProcess train) throws Exception {
        assertThat(train.isRunning()).as(train.stderr()).isTrue();
        Matcher said = SERVER.matcher(train.stderr());
        return said.find() ? Optional.of(said.group(1)) : Optional.empty();
    }
}
