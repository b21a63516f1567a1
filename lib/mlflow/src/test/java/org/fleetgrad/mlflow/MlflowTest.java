package org.fleetgrad.mlflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import org.fleetgrad.testing.MlflowProcess;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real {@code mlflow server}, read by MLflow's own client. */
@Tag("whole")
class MlflowTest {

    private static final String READ = """
            import sys, urllib.request, mlflow
            client = mlflow.MlflowClient(sys.argv[1])
            experiment = client.get_experiment_by_name("my experiment")
            for run in client.search_runs([experiment.experiment_id]):
                print(run.info.run_name, run.info.status, run.info.end_time > run.info.start_time, sorted(run.data.params.items()))
                for metric in client.get_metric_history(run.info.run_id, "heldout/accuracy"):
                    print(metric.step, metric.value, metric.timestamp)
                print([(file.path, file.file_size) for file in client.list_artifacts(run.info.run_id)])
                print(open(client.download_artifacts(run.info.run_id, "report.html", sys.argv[2])).read())
            """;

    private final LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();

    @Test
    void shouldReadARunWithMlflowsOwnClient(@TempDir Path folder) throws Exception {
        Path report = Files.writeString(folder.resolve("report.html"), "<h1>Run</h1>");
        try (MlflowProcess mlflow = MlflowProcess.start(folder.resolve("mlflow"))) {
            MlflowServer server = MlflowServer.parse(mlflow.uri().toString(), Map.of());
            for (String name : List.of("first", "second")) {
                RunDescription about = new RunDescription("my experiment", name, Instant.now(), Map.of());
                try (TrackedRun run = TrackedRun.begin(server, about, told::add)) {
                    run.describe(Map.of("batchSize", "32", "network", "n".repeat(9000)));
                    run.log(List.of(
                            new Metric("heldout/accuracy", 0.5, 1000, 10),
                            new Metric("heldout/accuracy", 0.75, 2000, 20),
                            new Metric("heldout/loss", Double.POSITIVE_INFINITY, 2000, 20)));
                    run.finish(List.of(report));
                }
            }

            String read = Python.runWithMlflow(READ, mlflow.uri().toString(), folder.toString());
            String network = "n".repeat(482) + "… (9000 characters)";
            String each = """
                     FINISHED True [('batchSize', '32'), ('network', '%s')]
                    10 0.5 1000
                    20 0.75 2000
                    [('report.html', 12)]
                    <h1>Run</h1>
                    """.formatted(network.substring(network.length() - 500));
            assertThat(read).isEqualTo("second" + each + "first" + each);
            assertThat(told).hasSize(2).allMatch(line -> line.contains("/#/experiments/"));
        }
    }
}
