package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The evaluator beside a run, and over what the run left; the run's curves. */
@Order(14)
@Tag("whole")
class EvaluateIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final Pattern SERVER = Pattern.compile("ps-service at (http://[0-9.:]+)");
    private static final int EVERY = 10;
    private static final int SAMPLES = 3_000;

    /** Prints the steps of a run's losses, and its last held-out accuracy with its step. */
    private static final String READ = """
            import json, sys
            from tensorboard.backend.event_processing import event_accumulator
            run = event_accumulator.EventAccumulator(sys.argv[1], size_guidance={event_accumulator.SCALARS: 0})
            run.Reload()
            last = run.Scalars("heldout/accuracy")[-1]
            print(json.dumps({"steps": [e.step for e in run.Scalars("train/loss")], "step": last.step, "accuracy": last.value}))
            """;

    @TempDir
    private Path folder;

    private JsonNode command(String... arguments) throws Exception {
        Path own = Files.createTempDirectory(folder, "command");
        try (FleetgradProcess command = FleetgradProcess.start(own, arguments)) {
            assertThat(command.await(TIMEOUT)).as(command.stderr()).isZero();
            return command.lastLineAsJson();
        }
    }

    private static List<String> train(Path out, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "train",
                "--train-samples",
                Integer.toString(SAMPLES),
                "--test-samples",
                "500",
                "--target-accuracy",
                "1",
                "--out",
                out.toString(),
                "--json"));
        arguments.addAll(List.of(more));
        return arguments;
    }

    @Test
    void shouldFindWhatTheRunReportedAndWriteItsCurvesOverAResume() throws Exception {
        Path run = folder.resolve("run");
        Path board = folder.resolve("board");
        String[] curves = {"--tensorboard", board.toString()};
        JsonNode first =
                command(train(run, "--epochs", "1", curves[0], curves[1]).toArray(String[]::new));
        // A run in a new folder trains its own number of epochs; a run in the same folder counts those already done.
        JsonNode other = command(train(folder.resolve("other"), "--epochs", "1", "--resume", run.toString())
                .toArray(String[]::new));
        requireSecondEpoch(first, other);
        JsonNode second = command(train(run, "--epochs", "2", "--resume", run.toString(), curves[0], curves[1])
                .toArray(String[]::new));
        requireSecondEpoch(first, second);

        JsonNode evaluated = command(
                        "evaluate",
                        "--checkpoints",
                        run.resolve("model.safetensors").toString(),
                        "--data",
                        run.toString(),
                        "--json")
                .path("best");
        assertThat(evaluated.path("version").asLong())
                .isEqualTo(second.path("version").asLong());
        assertThat(evaluated.path("top1").asDouble())
                .isCloseTo(second.path("accuracy").asDouble(), within(1e-9));
        assertThat(evaluated.path("loss").asDouble())
                .isCloseTo(second.path("heldOutLoss").asDouble(), within(1e-5));
        assertThat(command("evaluate", "--checkpoints", run.toString(), "--data", run.toString(), "--json")
                        .path("evaluated")
                        .asInt())
                .isPositive();

        List<String> rows = Files.readAllLines(run.resolve("curves.csv"));
        assertThat(rows.get(0)).startsWith("time,seconds,version,train/loss,");
        assertThat(rows.stream().filter(row -> row.equals(rows.get(0)))).hasSize(1);
        long firstVersion = first.path("version").asLong();
        assertThat(rows).anyMatch(row -> row.split(",", -1)[2].equals(Long.toString(firstVersion)));
        assertThat(rows.get(rows.size() - 1).split(",", -1)[2])
                .isEqualTo(Long.toString(second.path("version").asLong()));
        JsonNode read =
                lastLine(Python.runWithTensorboard(READ, board.resolve("run").toString()));
        List<Long> steps =
                read.path("steps").valueStream().map(JsonNode::asLong).toList();
        assertThat(steps).isSorted().contains(second.path("version").asLong());
        assertThat(steps).anyMatch(step -> step < firstVersion).anyMatch(step -> step > firstVersion);
        assertThat(read.path("step").asLong()).isEqualTo(second.path("version").asLong());
        assertThat(read.path("accuracy").asDouble())
                .isCloseTo(second.path("accuracy").asDouble(), within(1e-6));
    }

    private static void requireSecondEpoch(JsonNode first, JsonNode second) {
        assertThat(first.path("samples").asLong()).isEqualTo(SAMPLES);
        assertThat(second.path("samples").asLong()).isEqualTo(2 * SAMPLES);
        assertThat(second.path("version").asLong())
                .isEqualTo(2 * first.path("version").asLong());
        assertThat(second.path("samplesLost").asLong()).isZero();
        assertThat(second.path("samplesDoubled").asLong()).isZero();
        assertThat(second.path("samplesPerSecond").asDouble()
                        * second.path("seconds").asDouble())
                .as("samples of the second run alone")
                .isCloseTo(SAMPLES, within(1.0));
    }

    private static JsonNode lastLine(String output) {
        List<String> lines = output.lines().toList();
        return JsonMapper.builder().build().readTree(lines.get(lines.size() - 1));
    }

    @Test
    void shouldFollowAServerThatTrains() throws Exception {
        Path run = folder.resolve("live");
        Path own = Files.createDirectory(folder.resolve("training"));
        try (FleetgradProcess training = FleetgradProcess.start(
                own, train(run, "--epochs", "1000", "--learning-rate", "0.0001").toArray(String[]::new))) {
            String server = await().atMost(TIMEOUT).until(() -> address(training.stderr()), found -> !found.isEmpty());

            JsonNode result = command(
                    "evaluate",
                    "--server",
                    server,
                    "--data",
                    run.toString(),
                    "--eval-freq",
                    Integer.toString(EVERY),
                    "--max-evaluations",
                    "3",
                    "--json");

            List<Long> versions = result.path("evaluations")
                    .valueStream()
                    .map(evaluation -> evaluation.path("version").asLong())
                    .toList();
            assertThat(versions).hasSize(3);
            assertThat(versions.get(1) - versions.get(0)).isGreaterThanOrEqualTo(EVERY);
            assertThat(versions.get(2) - versions.get(1)).isGreaterThanOrEqualTo(EVERY);
            assertThat(result.path("evaluations").path(0).path("samples").asInt())
                    .isEqualTo(500);
        }
    }

    private static String address(String stderr) {
        Matcher told = SERVER.matcher(stderr);
        return told.find() ? told.group(1) : "";
    }
}
