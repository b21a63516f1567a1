package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A network of one's own jar is trained by workers, served, evaluated and cut into stages: none of these programs has the jar. */
@Tag("whole")
class NetworkJarIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final Path JAR = RepositoryRoot.path().resolve("examples/own-network/target/my-net.jar");

    @TempDir
    private Path folder;

    private FleetgradProcess run(String command, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(command, "--network-jar", JAR.toString()));
        arguments.addAll(List.of("--train-samples", "4000", "--test-samples", "500", "--json"));
        arguments.addAll(List.of(more));
        return FleetgradProcess.start(folder, arguments.toArray(String[]::new));
    }

    @Test
    void shouldTrainServeAndEvaluateWithoutTheJar() throws Exception {
        try (FleetgradProcess train = run("train", "--epochs", "20", "--target-accuracy", "0.9", "--out", "run")) {
            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();
            assertThat(train.lastLineAsJson().path("accuracy").asDouble()).isBetween(0.9, 1.0);
            assertThat(train.stderr())
                    .contains("its code makes the network here; other programs get the layers as data")
                    .contains("15,898 parameters");
        }
        String run = folder.resolve("run").toString();
        try (FleetgradProcess evaluate = FleetgradProcess.start(
                folder, "evaluate", "--checkpoints", run + "/model.safetensors", "--data", run, "--json")) {
            assertThat(evaluate.await(TIMEOUT)).as(evaluate.stderr()).isZero();
            assertThat(evaluate.lastLineAsJson().path("best").path("top1").asDouble())
                    .isBetween(0.9, 1.0);
        }
    }

    @Test
    void shouldBeCutIntoStages() throws Exception {
        try (FleetgradProcess pipeline =
                run("pipeline", "--network", "my-net", "--stages", "2", "--epochs", "2", "--out", "stages")) {
            assertThat(pipeline.await(TIMEOUT)).as(pipeline.stderr()).isZero();
            assertThat(pipeline.lastLineAsJson().path("accuracy").asDouble()).isBetween(0.5, 1.0);
        }
    }

    @Test
    void shouldSayWhatIsWrongWithAJar() throws Exception {
        try (FleetgradProcess train =
                FleetgradProcess.start(folder, "train", "--network-jar", JAR.toString(), "--network", "your-net")) {
            assertThat(train.await(TIMEOUT)).isEqualTo(2);
            assertThat(train.stderr())
                    .contains("there is no network 'your-net'; the networks are")
                    .contains("my-net");
        }
    }
}
