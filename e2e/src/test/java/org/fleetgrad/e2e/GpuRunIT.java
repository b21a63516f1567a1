package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.fleetgrad.runs.device.CudaLibrary;
import org.fleetgrad.runs.device.RunGpus;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.settings.DeviceSettings;
import org.fleetgrad.testing.RepositoryRoot;
import org.fleetgrad.testing.Requirement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Two worker processes train on the GPUs of this machine, in turn. */
@Timeout(900)
@Tag("whole")
class GpuRunIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    @TempDir
    private Path folder;

    @Test
    void shouldReachTheTargetOnGpus() throws Exception {
        requireGpu();

        try (FleetgradProcess train = FleetgradProcess.start(
                folder, "train", "--device", "cuda", "--deterministic", "--workers", "2", "--out", "run", "--json")) {
            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();
            assertThat(train.stderr()).contains("2 workers compute on cuda:0");
            JsonNode result = train.lastLineAsJson();
            assertThat(result.path("reachedTarget").asBoolean()).isTrue();
        }
    }

    private static void requireGpu() throws Exception {
        Path home = RepositoryRoot.path();
        try {
            RunGpus gpus = RunGpus.here(DeviceSettings.parse("cuda"), System.getenv());
            Map<String, String> library =
                    CudaLibrary.environment(System.getenv(), home, home.resolve("worker-action/target/lib"));
            Requirement.GPU.check(true, "%s with %s".formatted(gpus, library));
        } catch (RunFailedException missing) {
            Requirement.GPU.check(false, String.valueOf(missing.getMessage()));
        }
    }
}
