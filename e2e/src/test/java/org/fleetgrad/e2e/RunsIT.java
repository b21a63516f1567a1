package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code fleetgrad runs} beside runs that begin, are stopped from another terminal, are killed, and go on. */
@Order(12)
@Tag("whole")
class RunsIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final String NETWORK = Letters.network(2, 64);
    private static final int EPOCHS = 300;

    @TempDir
    private Path folder;

    private int terminals;

    /** A command in another terminal, that is in another folder. */
    private FleetgradProcess terminal(String... arguments) throws Exception {
        terminals++;
        Path other = Files.createDirectories(folder.resolve("terminal-" + terminals));
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--in", folder.resolve("runs").toString()));
        return FleetgradProcess.start(other, all.toArray(String[]::new));
    }

    private JsonNode shown(String run) throws Exception {
        try (FleetgradProcess show = terminal("runs", "show", run, "--json")) {
            assertThat(show.await(TIMEOUT)).as(show.stderr()).isZero();
            return show.lastLineAsJson();
        }
    }

    /** Starts to train the letters with one worker: 4 steps of 2 samples in each epoch. */
    private FleetgradProcess train(String out, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("train", "--json", "--out", out));
        arguments.addAll(List.of("--data", Letters.write(folder).toString(), "--network", NETWORK));
        arguments.addAll(List.of("--workers", "1", "--batch-size", "2", "--seed", "5", "--context", "16"));
        arguments.addAll(List.of("--optimizer", "adamw", "--learning-rate", "0.001"));
        arguments.addAll(List.of("--epochs", Integer.toString(EPOCHS), "--durability", "journal"));
        arguments.addAll(List.of(more));
        return FleetgradProcess.start(folder, arguments.toArray(String[]::new));
    }

    private static JsonNode end(FleetgradProcess train) throws Exception {
        try (train) {
            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();
            return train.lastLineAsJson();
        }
    }

    private JsonNode facts(String out) throws Exception {
        return JsonMapper.shared().readTree(Files.readString(folder.resolve(out).resolve("run.json")));
    }

    private long rows(String out) throws Exception {
        Path curves = folder.resolve(out).resolve("curves.csv");
        return Files.exists(curves) ? Files.readAllLines(curves).size() : 0;
    }

    /** Waits until a run has trained for a while. */
    private void awaitTraining(String out, long before) {
        await().atMost(TIMEOUT).until(() -> rows(out) > before + 3);
    }

    /** Goes on with the run, or begins it if it was stopped before its first checkpoint. */
    private FleetgradProcess goOn() throws Exception {
        Path checkpoints = folder.resolve("run/checkpoints");
        boolean isBegun = false;
        if (Files.isDirectory(checkpoints)) {
            try (Stream<Path> entries = Files.list(checkpoints)) {
                isBegun =
                        entries.anyMatch(entry -> entry.getFileName().toString().startsWith("checkpoint-"));
            }
        }
        return isBegun ? train("run", "--resume", "run") : train("run");
    }

    /**
     * A run is stopped while it starts, and twice at once while it trains; its driver is killed later. Each time it continues, and its
     * model has the bits of a run that nothing happened to.
     */
    @Test
    void shouldComeToTheBitsOfAnUndisturbedRunWhenItIsStoppedFromAnotherTerminalAndKilled() throws Exception {
        try (FleetgradProcess first = train("run", "--name", "first", "--tag", "night")) {
            await().atMost(TIMEOUT).until(() -> Files.exists(folder.resolve("run/run.json")));
            try (FleetgradProcess stop = terminal("runs", "stop", "first")) {
                assertThat(stop.await(TIMEOUT)).as(stop.stderr()).isZero();
            }
            assertThat(first.await(TIMEOUT)).isEqualTo(143);
        }
        assertThat(facts("run").path("end").path("how").asString()).isEqualTo("stopped");

        try (FleetgradProcess second = goOn()) {
            awaitTraining("run", 0);
            try (FleetgradProcess stop = terminal("runs", "stop", "LAST");
                    FleetgradProcess other = terminal("runs", "stop", "first")) {
                assertThat(stop.await(TIMEOUT)).as(stop.stderr()).isIn(0, 3);
                assertThat(other.await(TIMEOUT)).as(other.stderr()).isIn(0, 3);
                assertThat(stop.stderr() + other.stderr()).contains("takes its last checkpoint and ends its programs");
            }
            assertThat(second.isRunning()).isFalse();
            assertThat(second.programs()).isEmpty();
        }
        JsonNode stopped = shown("first");
        assertThat(stopped.path("state").asString()).isEqualTo("stopped");
        assertThat(stopped.path("tags").get(0).asString()).isEqualTo("night");
        assertThat(stopped.path("network").asString()).isEqualTo(NETWORK);

        long before = rows("run");
        try (FleetgradProcess third = goOn()) {
            awaitTraining("run", before);
            assertThat(shown("first").path("state").asString()).isEqualTo("running");
            List<ProcessHandle> programs = third.programs();
            third.kill();
            await().atMost(TIMEOUT).until(() -> programs.stream().noneMatch(ProcessHandle::isAlive));
        }
        await().atMost(TIMEOUT)
                .until(() -> shown("first").path("state").asString().equals("killed"));

        JsonNode result = end(goOn());
        JsonNode undisturbed = end(train("runs/undisturbed"));

        assertThat(result.path("version").asLong()).isEqualTo(EPOCHS * 4);
        assertThat(result.path("tensorsSha256")).isEqualTo(undisturbed.path("tensorsSha256"));
        assertThat(result.path("samplesLost").asLong()).isZero();
        JsonNode ended = shown("first");
        assertThat(ended.path("state").asString()).isEqualTo("ended");
        assertThat(ended.path("best").path("measure").asString()).isEqualTo("loss");
        assertThat(ended.path("result").path("tensorsSha256")).isEqualTo(undisturbed.path("tensorsSha256"));
        assertCompared();
    }

    private void assertCompared() throws Exception {
        try (FleetgradProcess compare = terminal("runs", "compare", "first", "undisturbed", "--json")) {
            assertThat(compare.await(TIMEOUT)).as(compare.stderr()).isZero();
            JsonNode json = compare.lastLineAsJson();
            assertThat(json.path("settings").has("learningRate")).isFalse();
            assertThat(json.path("curves").path("train/loss").get(1).size()).isGreaterThan(2);
        }
        try (FleetgradProcess taken = train("other", "--name", "first")) {
            assertThat(taken.await(TIMEOUT)).isEqualTo(3);
            assertThat(taken.stderr()).contains("--name first: the run in " + folder.resolve("run"));
        }
        try (FleetgradProcess remove = terminal("runs", "rm", "first", "--yes")) {
            assertThat(remove.await(TIMEOUT)).as(remove.stderr()).isZero();
        }
        assertThat(folder.resolve("run")).doesNotExist();
    }
}
