package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Runs that begin where another ended. */
class ResumeIT {

    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @TempDir
    private Path folder;

    private JsonNode train(double target, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(
                List.of("train", "--json", "--train-samples", "12000", "--target-accuracy", Double.toString(target)));
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
        JsonNode first = train(0.7, "--out", "run");
        long version = first.path("version").asLong();

        JsonNode other = train(0.85, "--resume", "run", "--out", "other");
        JsonNode same = train(0.85, "--resume", "run", "--out", "run", "--epochs", "30");

        assertThat(List.of(other, same)).allSatisfy(later -> {
            assertThat(later.path("accuracy").asDouble()).isGreaterThanOrEqualTo(0.85);
            assertThat(later.path("version").asLong()).isGreaterThan(version);
        });
    }
}
