package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@Order(7)
@Tag("whole")
class BenchIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    @Test
    void shouldEndWithAnObjectOfWhatWasMeasuredAndLeaveNoProcess() throws Exception {
        try (FleetgradProcess bench =
                FleetgradProcess.startAsShipped(folder, "bench", "--only", "pull-100mb", "--rounds", "1", "--json")) {
            assertThat(bench.await(TIMEOUT)).as(bench.stderr()).isZero();

            JsonNode figures = bench.lastLineAsJson();
            assertThat(figures.propertyNames()).containsExactly("pull-100mb");
            JsonNode figure = figures.path("pull-100mb");
            double ours = figure.path("ours").asDouble();
            double limit = figure.path("limit").asDouble();
            assertThat(ours).isPositive();
            assertThat(limit).isPositive();
            assertThat(figure.path("ratio").asDouble()).isCloseTo(ours / limit, offset(ours / limit));
            assertThat(figure.path("unit").asString()).isEqualTo("GB/s");
            assertThat(figure.path("against").asString()).contains("loopback TCP");
            assertThat(figure.path("goal").asString()).isEqualTo("ratio ≥ 1");
            assertThat(figure.path("met").asBoolean())
                    .isEqualTo(figure.path("ratio").asDouble() >= 1);
            assertThat(Files.readString(folder.resolve("stdout")))
                    .contains("pull-100mb: a model of 100 MB pulled over one connection");
            assertThat(bench.programs()).isEmpty();
        }
    }

    /** The ratio and its two values are each rounded to six digits. */
    private static Offset<Double> offset(double ratio) {
        return Offset.offset(ratio * 1e-4);
    }

    @Test
    void shouldExplainItselfAndRefuseAWrongCommandLine() throws Exception {
        try (FleetgradProcess help = FleetgradProcess.startAsShipped(folder, "bench", "--help")) {
            assertThat(help.await(TIMEOUT)).isZero();
            assertThat(folder.resolve("stdout"))
                    .content()
                    .contains("fleetgrad bench", "--only", "--rounds", "--list", "--write", "Exit codes:", "modes");
        }
        try (FleetgradProcess wrong = FleetgradProcess.startAsShipped(folder, "bench", "--only", "luck")) {
            assertThat(wrong.await(TIMEOUT)).isEqualTo(2);
            assertThat(wrong.stderr()).contains("--only luck is not a measurement; the measurements are getVersion, ");
        }
    }
}
