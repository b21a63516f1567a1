package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.fleetgrad.files.Sha256;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.testing.Python;
import org.fleetgrad.testing.RepositoryRoot;
import org.fleetgrad.testing.SharedData;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Order(3)
class DemoIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);

    @TempDir
    private Path folder;

    @Test
    void shouldTrainGeneratedDigitsToTheTargetAndLeaveModelReportAndNoProcess() throws Exception {
        try (FleetgradProcess demo = FleetgradProcess.startAsShipped(
                folder, "demo", "--json", "--out", "run", "--target-accuracy", "0.9", "--train-samples", "12000")) {
            await().atMost(TIMEOUT).until(() -> demo.programs().size() >= 4);
            List<ProcessHandle> programs = demo.programs();

            assertThat(demo.await(TIMEOUT)).as(demo.stderr()).isZero();

            JsonNode result = demo.lastLineAsJson();
            assertThat(result.path("accuracy").asDouble()).isGreaterThanOrEqualTo(0.9);
            assertThat(result.path("reachedTarget").asBoolean()).isTrue();
            assertThat(result.path("version").asLong()).isPositive();
            assertThat(result.path("samples").asLong())
                    .isGreaterThanOrEqualTo(32 * result.path("version").asLong() / 2);
            assertThat(result.path("secondsToTarget").asDouble())
                    .isPositive()
                    .isLessThanOrEqualTo(result.path("seconds").asDouble());
            assertThat(result.path("samplesPerSecond").asDouble()).isPositive();
            assertThat(result.path("workers").asInt()).isEqualTo(2);
            assertThat(result.has("worstStaleness")).isTrue();
            assertThat(demo.stderr()).contains("the live model says").contains("accuracy");

            TensorSet model = Safetensors.decode(ByteBuffer.wrap(
                    Files.readAllBytes(Path.of(result.path("modelPath").asString()))));
            assertThat(Networks.usual("lenet5").spec().layout().firstDifference(model.layout()))
                    .isEmpty();
            assertThat(model.metadata())
                    .containsEntry("version", result.path("version").asString());
            assertThat(result.path("tensorsSha256").asString()).isEqualTo(Sha256.of(model.data()));
            assertReport(Path.of(result.path("reportPath").asString()), result);
            assertThat(programs).noneMatch(ProcessHandle::isAlive);
        }
    }

    private static void assertReport(Path path, JsonNode result) throws Exception {
        JsonNode report = JsonMapper.builder().build().readTree(Files.readString(path));
        assertThat(report.path("result")).isEqualTo(result);
        assertThat(report.path("curve").size()).isGreaterThan(1);
        JsonNode evaluation = report.path("evaluation");
        assertThat(evaluation.path("version").asLong()).isEqualTo(RunFiles.lastVersion(report));
        JsonNode confusion = evaluation.path("details").path("classes").path("confusion");
        double right = 0;
        for (int i = 0; i < confusion.size(); i++) {
            right += confusion.path(i).path(i).asLong();
        }
        // The accuracy is that of the model, which is an earlier version if it alone has reached the target.
        assertThat(right / evaluation.path("samples").asLong())
                .isCloseTo(evaluation.path("accuracy").asDouble(), within(1e-12));
        assertThat(Files.readString(Path.of(result.path("pagePath").asString())))
                .contains("class=\"confusion\"");
        long applied = 0;
        for (JsonNode activation : report.path("activations")) {
            applied += activation.path("pushes").asLong();
        }
        // Every gradient that a worker reports as accepted is a step: none is lost or counted twice.
        assertThat(applied).isEqualTo(RunFiles.lastVersion(report));
    }

    @Test
    @Tag("whole")
    void shouldTrainSynchronouslyAndScoreTheSameInPytorch() throws Exception {
        Path mnist = SharedData.require("data/mnist");
        Python.require();
        try (FleetgradProcess train = FleetgradProcess.start(
                folder,
                "train",
                "--json",
                "--out",
                "run",
                "--mode",
                "sync",
                "--data",
                mnist.toString(),
                "--target-accuracy",
                "0.9")) {
            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();

            JsonNode result = train.lastLineAsJson();
            assertThat(result.path("mode").asString()).isEqualTo("sync");
            assertThat(result.path("worstStaleness").asLong()).isZero();
            JsonNode score = JsonMapper.builder()
                    .build()
                    .readTree(Python.run(
                            Files.readString(RepositoryRoot.path().resolve("e2e/src/test/python/score.py")),
                            result.path("modelPath").asString(),
                            mnist.toString()));
            // None but rarely: two kernels may choose differently where two classes are all but equal.
            double undecided =
                    score.path("undecided").asDouble() / score.path("samples").asDouble();
            assertThat(score.path("accuracy").asDouble())
                    .isCloseTo(result.path("accuracy").asDouble(), within(undecided + 1e-12));
        }
    }

    @Test
    void shouldLeaveNoProcessWhenTerminated() throws Exception {
        try (FleetgradProcess demo = FleetgradProcess.start(folder, "demo", "--keep", "--out", "run")) {
            await().atMost(TIMEOUT).until(() -> demo.programs().size() >= 4);
            List<ProcessHandle> programs = demo.programs();

            demo.terminate();

            demo.await(Duration.ofSeconds(60));
            assertThat(programs).hasSizeGreaterThanOrEqualTo(4).noneMatch(ProcessHandle::isAlive);
        }
    }

    @Test
    void shouldSayInOneLineWhatIsWrongWithTheDataFolder() throws Exception {
        try (FleetgradProcess demo = FleetgradProcess.start(folder, "demo", "--data", "nowhere")) {
            assertThat(demo.await(TIMEOUT)).isEqualTo(3);
            assertThat(demo.stderr()).contains("fleetgrad: --data nowhere: ").doesNotContain("\tat ");
        }
    }

    @Test
    void shouldRefuseAWrongCommandLine() throws Exception {
        try (FleetgradProcess demo = FleetgradProcess.start(folder, "demo", "--workers", "0")) {
            assertThat(demo.await(TIMEOUT)).isEqualTo(2);
            assertThat(demo.stderr()).contains("--workers must be from 1 to 256; it is 0");
        }
    }
}
