package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fleetgrad.testing.Requirement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The command drives a real OpenWhisk end to end, if {@code OPENWHISK_APIHOST} and {@code OPENWHISK_AUTH} name one. Its
 * containers reach this machine at {@code OPENWHISK_TEST_SERVER_ADDRESS}, by default 172.17.0.1, and it has the worker's image,
 * under {@code OPENWHISK_TEST_WORKER} if that is not the usual name.
 */
@Timeout(900)
@Tag("whole")
class RealOpenWhiskIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(14);

    @TempDir
    private Path folder;

    @Test
    void shouldLearnAndLoseAndDoubleNoSample() throws Exception {
        Map<String, String> environment = System.getenv();
        Requirement.OPENWHISK.check(
                environment.containsKey("OPENWHISK_APIHOST"),
                "OPENWHISK_APIHOST and OPENWHISK_AUTH name no controller");
        List<String> arguments = new ArrayList<>(List.of(
                "train",
                "--json",
                "--out",
                "run",
                "--invoker",
                "openwhisk",
                "--action",
                "fleetgrad-test-train",
                "--server-address",
                environment.getOrDefault("OPENWHISK_TEST_SERVER_ADDRESS", "172.17.0.1"),
                "--workers",
                "2",
                "--activation-limit",
                "30s",
                "--train-samples",
                "12000",
                "--test-samples",
                "1000",
                "--epochs",
                "3",
                "--target-accuracy",
                "1"));
        String image = environment.get("OPENWHISK_TEST_WORKER");
        if (image != null) {
            arguments.addAll(List.of("--image", image));
        }

        try (FleetgradProcess train = FleetgradProcess.start(folder, arguments.toArray(String[]::new))) {
            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();

            JsonNode result = train.lastLineAsJson();
            assertThat(result.path("accuracy").asDouble()).isGreaterThanOrEqualTo(0.9);
            assertThat(result.path("coldStarts").asInt()).isPositive();
            assertThat(result.path("samplesLost").asLong()).isZero();
            assertThat(result.path("samplesDoubled").asLong()).isZero();
            assertThat(result.path("gbSeconds").asDouble()).isPositive();
        }
    }
}
