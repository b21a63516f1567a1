package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code fleetgrad search} with the programs of this build: it is killed while a trial trains, and goes on. */
@Order(13)
@Tag("whole")
class SearchIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final int EPOCHS = 60;

    @TempDir
    private Path folder;

    private FleetgradProcess start(String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of("search"));
        all.addAll(List.of(words));
        return FleetgradProcess.start(folder, all.toArray(String[]::new));
    }

    /** The letters have 4 steps of 2 samples in each epoch. */
    private FleetgradProcess search() throws Exception {
        String data = Letters.write(folder).toString();
        String network = Letters.network(1, 32);
        return start(
                ("--vary learning-rate=0.001,0.003 --name rates --data %s --network %s --workers 1 --batch-size 2 --context 16"
                                + " --optimizer adamw --durability journal --epochs %d")
                        .formatted(data, network, EPOCHS)
                        .split(" "));
    }

    private boolean isTraining(String trial) throws Exception {
        Path curves = folder.resolve("runs/rates").resolve(trial).resolve("curves.csv");
        return Files.exists(curves) && Files.readAllLines(curves).size() > 2;
    }

    @Test
    void shouldLoseNothingWhenItIsKilledWhileATrialTrains() throws Exception {
        try (FleetgradProcess first = search()) {
            await().atMost(TIMEOUT).until(() -> isTraining("rates-1"));
            List<ProcessHandle> programs = first.programs();
            assertThat(programs).hasSizeGreaterThan(2);
            first.kill();
            await().atMost(TIMEOUT).until(() -> programs.stream().noneMatch(ProcessHandle::isAlive));
        }

        JsonNode result;
        try (FleetgradProcess second = start("--resume", "runs/rates", "--json")) {
            assertThat(second.await(TIMEOUT)).as(second.stderr()).isZero();
            result = second.lastLineAsJson();
            assertThat(second.stderr()).contains("going on with rates: 2 trials of learning-rate, by grid");
        }

        assertThat(result.path("open").asInt()).isZero();
        assertThat(result.path("trials").size()).isEqualTo(2);
        for (JsonNode trial : result.path("trials")) {
            assertThat(trial.path("state").asString()).isEqualTo("ended");
            assertThat(trial.path("version").asLong()).isEqualTo(EPOCHS * 4);
        }
        // The rate that is three times as large learns the letters faster.
        assertThat(result.path("best").asString()).isEqualTo("rates-2");
        try (FleetgradProcess runs = FleetgradProcess.start(folder, "runs", "--tag", "rates", "--json")) {
            assertThat(runs.await(TIMEOUT)).as(runs.stderr()).isZero();
            assertThat(runs.lastLineAsJson().path("runs"))
                    .extracting(run -> run.path("name").asString())
                    .containsExactlyInAnyOrder("rates-1", "rates-2");
        }
    }
}
