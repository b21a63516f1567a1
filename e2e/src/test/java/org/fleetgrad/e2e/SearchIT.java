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

/** {@code fleetgrad search} with the programs of this build: it is interrupted and killed while trials train, and goes on. */
@Order(13)
@Tag("whole")
class SearchIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final int EPOCHS = 90;

    @TempDir
    private Path folder;

    private FleetgradProcess start(String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of("search"));
        all.addAll(List.of(words));
        return FleetgradProcess.start(folder, all.toArray(String[]::new));
    }

    /** The letters have 4 steps of 2 samples in each epoch. */
    private FleetgradProcess search(String... more) throws Exception {
        String data = Letters.write(folder).toString();
        String network = Letters.network(1, 32);
        List<String> words = new ArrayList<>(List.of(
                ("--vary learning-rate=0.001,0.003 --name rates --data %s --network %s --workers 1 --batch-size 2 --context 16"
                                + " --optimizer adamw --durability journal --epochs %d")
                        .formatted(data, network, EPOCHS)
                        .split(" ")));
        words.addAll(List.of(more));
        return start(words.toArray(String[]::new));
    }

    private boolean isTraining(String trial) throws Exception {
        return points(trial) > 2;
    }

    private int points(String trial) throws Exception {
        Path curves = folder.resolve("runs/rates").resolve(trial).resolve("curves.csv");
        return Files.exists(curves) ? Files.readAllLines(curves).size() : 0;
    }

    private List<String> states() throws Exception {
        try (FleetgradProcess runs = FleetgradProcess.start(folder, "runs", "--tag", "rates", "--json")) {
            assertThat(runs.await(TIMEOUT)).as(runs.stderr()).isZero();
            List<String> states = new ArrayList<>();
            for (JsonNode run : runs.lastLineAsJson().path("runs")) {
                states.add(run.path("name").asString() + " " + run.path("state").asString());
            }
            return states;
        }
    }

    @Test
    void shouldLoseNothingWhenItIsInterruptedAndKilledWhileTrialsTrain() throws Exception {
        try (FleetgradProcess both = search("--parallel", "2")) {
            await().atMost(TIMEOUT).until(() -> isTraining("rates-1") && isTraining("rates-2"));
            List<ProcessHandle> programs = both.programs();
            both.interrupt();
            assertThat(both.await(TIMEOUT)).as(both.stderr()).isEqualTo(130);
            assertThat(programs).noneMatch(ProcessHandle::isAlive);
            assertThat(both.stderr())
                    .contains(
                            "stopping 2 trials: each takes its last checkpoint",
                            "stopped; go on: fleetgrad search --resume ");
        }
        assertThat(states()).containsExactlyInAnyOrder("rates-1 stopped", "rates-2 stopped");
        int before = points("rates-1");

        try (FleetgradProcess first = search()) {
            await().atMost(TIMEOUT).until(() -> points("rates-1") > before);
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
        assertThat(states()).containsExactlyInAnyOrder("rates-1 ended", "rates-2 ended");
    }
}
