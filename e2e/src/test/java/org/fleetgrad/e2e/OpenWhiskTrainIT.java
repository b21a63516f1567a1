package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.fleetgrad.openwhisk.fake.FakeOpenWhisk;
import org.fleetgrad.openwhisk.fake.FakeSettings;
import org.fleetgrad.testing.FreePorts;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The command drives an OpenWhisk: it stores the action, keeps activations running and reaches its target. */
@Order(10)
@Timeout(400)
@Tag("whole")
class OpenWhiskTrainIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    @TempDir
    private Path folder;

    @Test
    void shouldLearnAndLoseAndDoubleNoSampleWhenActivationsAreCutAndContainersDie() throws Exception {
        WorkerProcesses containers = new WorkerProcesses(folder);
        try (FakeOpenWhisk openwhisk = new FakeOpenWhisk(FakeSettings.STANDALONE, containers);
                FleetgradProcess train = whisked(
                        openwhisk.environment(),
                        OwnAddress.find(),
                        "--json",
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
            await().atMost(TIMEOUT).until(() -> !openwhisk.records().isEmpty());
            containers.endProcess("wsk1_guest_fleetgrad-worker");

            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();

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
    void shouldTrainWithTheWorkersJarInARuntimeOfTheJavaKind() throws Exception {
        WorkerProcesses containers = new WorkerProcesses(folder);
        try (FakeOpenWhisk openwhisk = new FakeOpenWhisk(FakeSettings.STANDALONE, containers);
                FleetgradProcess train = whisked(
                        openwhisk.environment(),
                        OwnAddress.find(),
                        "--json",
                        "--action-kind",
                        "java",
                        "--workers",
                        "1",
                        "--activation-limit",
                        "30s",
                        "--train-samples",
                        "4000",
                        "--test-samples",
                        "500",
                        "--epochs",
                        "2",
                        "--target-accuracy",
                        "1")) {
            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();

            JsonNode result = train.lastLineAsJson();
            assertThat(result.path("samples").asLong()).isGreaterThanOrEqualTo(8_000);
            assertThat(result.path("samplesLost").asLong()).isZero();
            assertThat(result.path("samplesDoubled").asLong()).isZero();
            JsonNode exec = openwhisk.action("fleetgrad-worker").path("exec");
            assertThat(exec.path("image").asString()).startsWith("fleetgrad/java-runtime:");
            assertThat(exec.path("main").asString()).isEqualTo("org.fleetgrad.worker.openwhisk.Main");
            assertThat(exec.path("binary").asBoolean()).isTrue();
        }
    }

    @Test
    void shouldSayThatThePoolIsFullAndLeaveNothingUnderWayWhenItIsInterrupted() throws Exception {
        WorkerProcesses containers = new WorkerProcesses(folder);
        try (FakeOpenWhisk openwhisk = new FakeOpenWhisk(FakeSettings.STANDALONE.withMemory(512, 512), containers);
                FleetgradProcess train = whisked(
                        openwhisk.environment(),
                        OwnAddress.find(),
                        "--workers",
                        "4",
                        "--activation-limit",
                        "2m",
                        "--train-samples",
                        "4000",
                        "--test-samples",
                        "100",
                        "--epochs",
                        "100000",
                        // Learns so little that it never reaches a target.
                        "--learning-rate",
                        "0.000001",
                        "--target-accuracy",
                        "1")) {
            String full = "2 of 4 workers fit: OpenWhisk's memory for actions is full";
            // Where the second cold start took much longer than the first, one worker was told to fit before.
            String more = "2 workers run now";
            await().atMost(TIMEOUT)
                    .until(() -> !train.isRunning() || Stream.of(full, more).anyMatch(train.stderr()::contains));
            assertThat(train.stderr()).containsAnyOf(full, more);
            assertThat(openwhisk.underWay()).isEqualTo(4);

            train.terminate();

            assertThat(train.await(Duration.ofMinutes(1))).isEqualTo(143);
            assertThat(openwhisk.underWay()).as(train.stderr()).isZero();
            assertThat(train.stderr())
                    .contains("waiting for 4 activations in flight to learn that the run is over")
                    .doesNotContain("are left in OpenWhisk");
        }
    }

    @Test
    void shouldSayInOneSentenceThatTheKeyIsWrongOrNobodyListens() throws Exception {
        try (FakeOpenWhisk openwhisk = new FakeOpenWhisk(FakeSettings.STANDALONE, new WorkerProcesses(folder))) {
            Map<String, String> stranger = new HashMap<>(openwhisk.environment());
            stranger.put("OPENWHISK_AUTH", "u:k");
            String address = OwnAddress.find();
            try (FleetgradProcess train = whisked(stranger, address)) {
                assertThat(train.await(TIMEOUT)).isEqualTo(3);
                assertThat(train.stderr().lines())
                        .containsExactly(
                                warning(address),
                                "fleetgrad: OpenWhisk cannot be used: GET %s/api/v1/namespaces/_/limits: 401 The supplied authentication is invalid; check the key in OPENWHISK_AUTH"
                                        .formatted(openwhisk.uri()));
            }
            try (FleetgradProcess train = whisked(openwhisk.environment(), "127.0.0.1")) {
                assertThat(train.await(TIMEOUT)).isEqualTo(3);
                assertThat(train.stderr().lines())
                        .singleElement()
                        .asString()
                        .startsWith(
                                "fleetgrad: --server-address 127.0.0.1 is a loopback address, which in a container means the container itself: pass one that OpenWhisk's containers can reach");
            }
        }
        Map<String, String> nobody =
                Map.of("OPENWHISK_APIHOST", "http://127.0.0.1:" + FreePorts.next(), "OPENWHISK_AUTH", "u:k");
        String own = OwnAddress.find();
        try (FleetgradProcess train = whisked(nobody, own)) {
            assertThat(train.await(TIMEOUT)).isEqualTo(4);
            assertThat(train.stderr().lines())
                    .containsExactly(
                            warning(own),
                            "fleetgrad: OpenWhisk cannot be used: GET %s/api/v1/namespaces/_/limits could not connect: nobody listens there"
                                    .formatted(nobody.get("OPENWHISK_APIHOST")));
        }
    }

    /** A run's server has an address that containers reach, so its keys leave the loopback. */
    private static String warning(String address) {
        return "warning: the keys of this run, which end with it, travel in the clear to http://%s: whoever reads that network can use them; use https, or a tunnel that ends at 127.0.0.1"
                .formatted(address);
    }

    private FleetgradProcess whisked(Map<String, String> environment, String address, String... more)
            throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("train", "--invoker", "openwhisk", "--server-address", address, "--out", "run"));
        arguments.addAll(List.of(more));
        return FleetgradProcess.start(folder, environment, arguments.toArray(String[]::new));
    }

    @Test
    void shouldSayWhatIsMissing() throws Exception {
        try (FleetgradProcess train = FleetgradProcess.start(
                folder, "train", "--invoker", "openwhisk", "--server-address", "127.0.0.1", "--out", "run")) {
            assertThat(train.await(TIMEOUT)).isEqualTo(3);
            assertThat(train.stderr()).contains("OPENWHISK_APIHOST is not set; write the controller's address");
        }
    }
}
