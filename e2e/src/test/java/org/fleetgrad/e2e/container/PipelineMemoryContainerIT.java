package org.fleetgrad.e2e.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.fleetgrad.e2e.FleetgradProcess;
import org.fleetgrad.e2e.TinyColours;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** VGG-16 with BatchNorm, 15 million parameters: too large for one container of 256 MB, and not for four. */
@Order(Order.DEFAULT + 9)
@Tag("whole")
class PipelineMemoryContainerIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(8);
    private static final int STEPS = 16;
    private static final int MICRO_BATCH = 8;

    @TempDir
    private Path folder;

    @BeforeAll
    static void requireDocker() throws IOException {
        Docker.require();
    }

    private FleetgradProcess start(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "pipeline",
                "--json",
                "--network",
                "vgg16_bn",
                "--data",
                TinyColours.write(folder.resolve("data"), 1_000, 20).toString(),
                "--places",
                "docker",
                "--image",
                Docker.workerImage(),
                "--memory",
                "256m",
                "--micro-batch",
                Integer.toString(MICRO_BATCH),
                "--cut",
                "bytes",
                "--max-steps",
                Integer.toString(STEPS),
                "--out",
                "run"));
        arguments.addAll(List.of(more));
        return FleetgradProcess.start(folder, arguments.toArray(String[]::new));
    }

    @Test
    void shouldRefuseTheWholeNetworkInOneContainerWithTheNumbers() throws Exception {
        try (FleetgradProcess one = start("--stages", "1", "--pipeline-schedule", "sequential")) {
            assertThat(one.await(TIMEOUT)).isEqualTo(3);
            assertThat(one.stderr())
                    .containsPattern("stage 0 of 1 needs [45]\\d\\d MiB: \\d+ for JVM and libtorch, 116 for weights,")
                    .contains("--memory allows 256");
        }
    }

    @Test
    void shouldTrainItInFourContainers() throws Exception {
        try (FleetgradProcess four = start("--stages", "4", "--pipeline-schedule", "1f1b", "--recompute")) {
            await().atMost(TIMEOUT)
                    .until(() -> limits().size() == 4 || four.stderr().contains("fleetgrad:"));
            assertThat(limits()).as(four.stderr()).hasSize(4).containsOnly(Long.toString(256L << 20));

            assertThat(four.await(TIMEOUT)).as(four.stderr()).isZero();
            JsonNode result = four.lastLineAsJson();
            assertThat(result.path("samples").asLong()).isEqualTo((long) STEPS * MICRO_BATCH);
            assertThat(result.path("staleness").get(0).asDouble()).isGreaterThan(2);
            System.err.printf(
                    Locale.ROOT,
                    "VGG-16-BN in four containers of 256 MB: %.1f samples/s, resident %s MiB%n",
                    result.path("samplesPerSecond").asDouble(),
                    result.path("peakMiB"));
        }
    }

    /** Returns the memory limits of the containers of all runs on this machine. */
    private static List<String> limits() throws IOException {
        List<String> limits = new ArrayList<>();
        for (String container : Docker.run("ps", "--quiet", "--filter", "label=org.fleetgrad=worker")
                .lines()
                .toList()) {
            Docker.Output limit =
                    Docker.execute(List.of("docker", "inspect", "--format", "{{.HostConfig.Memory}}", container));
            if (limit.status() == 0) {
                limits.add(limit.out().strip());
            }
        }
        return limits;
    }
}
