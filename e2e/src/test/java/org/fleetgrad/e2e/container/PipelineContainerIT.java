package org.fleetgrad.e2e.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.fleetgrad.e2e.FleetgradProcess;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Stages of a pipeline in containers of 256 MB. */
@Order(Order.DEFAULT + 8)
@Tag("whole")
class PipelineContainerIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    @TempDir
    private Path folder;

    @BeforeAll
    static void requireDocker() throws IOException {
        Docker.require();
    }

    @Test
    void shouldTrainInContainersAndKeepEachFlush() throws Exception {
        try (FleetgradProcess pipeline = FleetgradProcess.start(
                folder,
                "pipeline",
                "--json",
                "--out",
                "run",
                "--places",
                "docker",
                "--image",
                Docker.workerImage(),
                "--train-samples",
                "1000",
                "--test-samples",
                "200",
                "--cut",
                "fc1",
                "--flush",
                "10",
                "--stash")) {
            assertThat(pipeline.await(TIMEOUT)).as(pipeline.stderr()).isZero();
            JsonNode result = pipeline.lastLineAsJson();

            assertThat(result.path("samples").asLong()).isEqualTo(1000);
            assertThat(result.path("peakMiB").get(0).asDouble()).isBetween(50.0, 256.0);
            assertThat(folder.resolve("run/flushes/commit.json")).isRegularFile();
        }
    }
}
