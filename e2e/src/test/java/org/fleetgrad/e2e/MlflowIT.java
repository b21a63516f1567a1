package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.testing.FreePorts;
import org.fleetgrad.testing.MlflowProcess;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs as docs/training.md writes them to a real {@code mlflow server}, read by MLflow's own client. */
@Tag("whole")
class MlflowIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);

    private static final String READ = """
            import json, sys, mlflow
            client = mlflow.MlflowClient(sys.argv[1])
            experiment = client.get_experiment_by_name("digits")
            run, = client.search_runs([experiment.experiment_id], "tags.mlflow.source.name = 'fleetgrad %s'" % sys.argv[2])
            history = {key: [[m.step, m.value] for m in client.get_metric_history(run.info.run_id, key)] for key in run.data.metrics}
            files = {file.path: file.file_size for file in client.list_artifacts(run.info.run_id)}
            print(json.dumps({"name": run.info.run_name, "status": run.info.status, "params": run.data.params, "history": history, "files": files}))
            """;

    @TempDir
    private Path folder;

    private FleetgradProcess run(String command, URI mlflow, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(command, "--mlflow", mlflow.toString()));
        arguments.addAll(List.of("--train-samples", "1000", "--test-samples", "200", "--json"));
        arguments.addAll(List.of(more));
        return FleetgradProcess.start(folder, arguments.toArray(String[]::new));
    }

    private static JsonNode read(MlflowProcess mlflow, String command) {
        return JsonMapper.builder()
                .build()
                .readTree(Python.runWithMlflow(READ, mlflow.uri().toString(), command));
    }

    @Test
    void shouldWriteRunsToMlflow() throws Exception {
        try (MlflowProcess mlflow = MlflowProcess.start(folder.resolve("mlflow"))) {
            try (FleetgradProcess train =
                    run("train", mlflow.uri(), "--mlflow-experiment", "digits", "--epochs", "2", "--out", "first")) {
                assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();
                assertThat(train.stderr())
                        .contains("MLflow shows the run at " + mlflow.uri() + "/#/experiments/1/runs/");
                JsonNode run = read(mlflow, "train");
                assertThat(run.path("name").asString()).isEqualTo("first");
                assertThat(run.path("status").asString()).isEqualTo("FINISHED");
                assertThat(run.path("params").path("batchSize").asString()).isEqualTo("32");
                assertThat(run.path("params").path("network").asString()).startsWith("lenet5");
                requireCurvesOf(run, folder.resolve("first/curves.csv"));
                assertThat(run.path("files").path("model.safetensors").asLong())
                        .isEqualTo(Files.size(folder.resolve("first/model.safetensors")));
                assertThat(run.path("files").propertyNames()).contains("report.html", "report.json");
                JsonNode accuracies = run.path("history").path("heldout/accuracy");
                assertThat(accuracies.path(accuracies.size() - 1).path(1).asDouble())
                        .isEqualTo(train.lastLineAsJson().path("accuracy").asDouble());
            }
            try (FleetgradProcess pipeline = run(
                    "pipeline",
                    mlflow.uri(),
                    "--mlflow-experiment",
                    "digits",
                    "--places",
                    "threads",
                    "--flush",
                    "10",
                    "--out",
                    "stages")) {
                assertThat(pipeline.await(TIMEOUT)).as(pipeline.stderr()).isZero();
                JsonNode run = read(mlflow, "pipeline");
                assertThat(run.path("status").asString()).isEqualTo("FINISHED");
                assertThat(run.path("params").path("stages").asString()).isEqualTo("2");
                requireCurvesOf(run, folder.resolve("stages/curves.csv"));
                assertThat(run.path("files").propertyNames())
                        .contains("model.safetensors", "pipeline.json", "timeline.svg");
            }
        }
    }

    /** The table and MLflow have the same points. */
    private static void requireCurvesOf(JsonNode run, Path table) throws Exception {
        List<String> rows = Files.readAllLines(table);
        List<String> columns = List.of(rows.get(0).split(","));
        List<String> samples = rows.stream()
                .skip(1)
                .map(row -> row.split(",", -1))
                .map(cells -> cells[columns.indexOf("version")] + " " + cells[columns.indexOf("train/samples")])
                .toList();
        assertThat(samples).hasSizeGreaterThan(2);
        assertThat(run.path("history")
                        .path("train/samples")
                        .valueStream()
                        .map(point -> "%d %d"
                                .formatted(point.path(0).asLong(), point.path(1).asLong())))
                .containsExactlyElementsOf(samples);
    }

    @Test
    void shouldTrainWithoutAnMlflowThatIsAway() throws Exception {
        URI nobody = URI.create("http://127.0.0.1:" + FreePorts.next());
        try (FleetgradProcess train = run("train", nobody, "--epochs", "1", "--out", "alone")) {
            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();
            assertThat(train.lastLineAsJson().path("accuracy").asDouble()).isPositive();
            assertThat(train.stderr())
                    .contains("MLflow at " + nobody + " does not answer", "; the run continues")
                    .contains("does not have the run: it did not answer");
        }
    }

    @Test
    void shouldSayWhatIsNoAddress() throws Exception {
        try (FleetgradProcess train = FleetgradProcess.start(folder, "train", "--mlflow", "mlruns")) {
            assertThat(train.await(TIMEOUT)).isEqualTo(2);
            assertThat(train.stderr()).contains("--mlflow: 'mlruns' is not an address of HTTP: write one such as");
        }
    }
}
