package org.fleetgrad.runs.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.runs.docker.Docker.Container;
import org.fleetgrad.runs.docker.Docker.Mount;
import org.junit.jupiter.api.Test;

class DockerArgumentsTest {

    @Test
    void shouldGiveAContainerItsOneGpu() {
        assertThat(Docker.runArguments(container(Optional.of("2")))).containsSequence("--gpus", "device=2");
    }

    @Test
    void shouldGiveNoGpuToAContainerWithoutOne() {
        assertThat(Docker.runArguments(container(Optional.empty())))
                .doesNotContain("--gpus")
                .startsWith("run", "--detach", "--label", "org.fleetgrad=worker", "--memory", "256m")
                .endsWith("--env", "TOKEN", "fleetgrad/worker", "stage")
                .contains("type=bind,readonly,source=/tmp/shards,target=/shards");
    }

    private static Container container(Optional<String> gpu) {
        return new Container(
                "fleetgrad/worker",
                "256m",
                gpu,
                List.of(new Mount(Path.of("/tmp/shards"), "/shards")),
                Map.of("TOKEN", "secret"),
                List.of("stage"));
    }
}
