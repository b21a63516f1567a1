package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import org.fleetgrad.openwhisk.fake.FakeOpenWhisk;
import org.fleetgrad.openwhisk.fake.FakeSettings;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The command drives an OpenWhisk: it stores the action, keeps activations running and reaches its target. */
@Order(10)
@Timeout(400)
class OpenWhiskTrainIT {

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir
    private Path folder;

    @Test
    void shouldLearnAndLoseAndDoubleNoSampleWhenActivationsAreCutAndContainersDie() throws Exception {
        WorkerProcesses containers = new WorkerProcesses(folder);
        try (FakeOpenWhisk openwhisk = new FakeOpenWhisk(FakeSettings.STANDALONE, containers);
                FleetgradProcess train = FleetgradProcess.start(
                        folder,
                        openwhisk.environment(),
                        "train",
                        "--json",
                        "--out",
                        "run",
                        "--invoker",
                        "openwhisk",
                        "--server-address",
                        "127.0.0.1",
                        "--workers",
                        "2",
                        "--activation-limit",
                        "6s",
                        "--train-samples",
                        "12000",
                        "--test-samples",
                        "1000",
                        "--epochs",
                        "3",
                        "--target-accuracy",
                        "1")) {
            await().atMost(PATIENCE).until(() -> !openwhisk.records().isEmpty());
            containers.endProcess("wsk1_guest_fleetgrad-worker");

            assertThat(train.await(PATIENCE)).as(train.stderr()).isZero();

            JsonNode result = train.lastLineAsJson();
            assertThat(result.path("accuracy").asDouble()).isGreaterThanOrEqualTo(0.9);
            assertThat(result.path("activations").asInt()).isGreaterThan(2);
            assertThat(result.path("coldStarts").asInt()).isGreaterThanOrEqualTo(2);
            assertThat(result.path("samplesLost").asLong()).isZero();
            assertThat(result.path("samplesDoubled").asLong()).isZero();
            assertThat(result.path("gbSeconds").asDouble()).isPositive();
        }
    }

    @Test
    void shouldSayWhatIsMissing() throws Exception {
        try (FleetgradProcess train = FleetgradProcess.start(
                folder, "train", "--invoker", "openwhisk", "--server-address", "127.0.0.1", "--out", "run")) {
            assertThat(train.await(PATIENCE)).isEqualTo(3);
            assertThat(train.stderr()).contains("OPENWHISK_APIHOST is not set; write the controller's address");
        }
    }
}
