package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Runs that start from the result of another run. */
@Order(13)
@Tag("whole")
class ResumeIT {

    private static final int SAMPLES = 3_000;
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @TempDir
    private Path folder;

    /** Trains so slowly that only the number of epochs ends a run. */
    private JsonNode train(int epochs, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(
                "train",
                "--json",
                "--train-samples",
                Integer.toString(SAMPLES),
                "--test-samples",
                "500",
                "--target-accuracy",
                "1",
                "--learning-rate",
                "0.0001",
                "--epochs",
                Integer.toString(epochs)));
        arguments.addAll(List.of(more));
        try (FleetgradProcess train = FleetgradProcess.start(folder, arguments.toArray(String[]::new))) {
            assertThat(train.await(PATIENCE)).as(train.stderr()).isZero();
            JsonNode result = train.lastLineAsJson();
            assertThat(result.path("samplesLost").asLong()).isZero();
            assertThat(result.path("samplesDoubled").asLong()).isZero();
            return result;
        }
    }

    @Test
    void shouldGoOnFromAnEarlierRunInItsOwnFolderAndInAnother() throws Exception {
        JsonNode first = train(1, "--out", "run");
        // A run with a new folder trains its own number of epochs; a run that continues counts the epochs already done.
        JsonNode other = train(1, "--resume", "run", "--out", "other");
        JsonNode same = train(2, "--resume", "run", "--out", "run");

        assertThat(first.path("samples").asLong()).isEqualTo(SAMPLES);
        assertThat(List.of(other, same)).allSatisfy(later -> {
            assertThat(later.path("samples").asLong()).isEqualTo(2 * SAMPLES);
            assertThat(later.path("version").asLong())
                    .isEqualTo(2 * first.path("version").asLong());
            assertThat(later.path("samplesPerSecond").asDouble()
                            * later.path("seconds").asDouble())
                    .as("samples of the later run alone")
                    .isCloseTo(SAMPLES, within(1.0));
        });
    }
}
