package org.fleetgrad.e2e.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.fleetgrad.e2e.FleetgradProcess;
import org.fleetgrad.e2e.s3.S3Container;
import org.fleetgrad.store.ObjectStore;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A whole run with containers of 256 MB as workers, some of which are killed on the way. */
@Order(Order.DEFAULT + 7)
@Tag("whole")
class ContainerRunIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Pattern TRAINING = Pattern.compile(" {2}version [1-9]");

    @TempDir
    private Path folder;

    @BeforeAll
    static void requireDocker() throws IOException {
        Docker.require();
    }

    @Test
    void shouldReachItsTargetAndLoseAndDoubleNoSampleWhenContainersAreKilled() throws Exception {
        String image = Docker.workerImage();
        try (S3Container store = started();
                FleetgradProcess train = FleetgradProcess.start(
                        folder,
                        store.environment(),
                        "train",
                        "--json",
                        "--out",
                        "run",
                        "--invoker",
                        "docker",
                        "--image",
                        image,
                        "--workers",
                        "3",
                        "--memory",
                        "256m",
                        "--activation-limit",
                        "10s",
                        "--store",
                        "s3://runs/digits",
                        "--durability",
                        "journal",
                        "--train-samples",
                        "12000",
                        "--test-samples",
                        "1000",
                        // Slowly: the target must not come before the last of them is killed.
                        "--learning-rate",
                        "0.001",
                        "--target-accuracy",
                        "0.93")) {
            await().atMost(TIMEOUT)
                    .until(() -> containers().size() == 3
                            && TRAINING.matcher(train.stderr()).find());
            // All of them: nobody reaches the target before others take their places, however fast the machine is.
            List<String> kill = new ArrayList<>(List.of("kill"));
            kill.addAll(containers());
            Docker.run(kill.toArray(String[]::new));

            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();

            JsonNode result = train.lastLineAsJson();
            assertThat(result.path("accuracy").asDouble()).isGreaterThanOrEqualTo(0.93);
            assertThat(result.path("killed").asInt()).as(train.stderr()).isGreaterThanOrEqualTo(3);
            assertThat(result.path("coldStarts").asInt()).isGreaterThan(3);
            assertThat(result.path("activations").asInt()).isGreaterThan(3);
            assertThat(result.path("samplesLost").asLong()).isZero();
            assertThat(result.path("samplesDoubled").asLong()).isZero();
            assertThat(result.path("gbSeconds").asDouble()).isPositive();
            assertThat(result.path("peakMemoryMiB").asDouble()).isBetween(50.0, 256.0);
            assertThat(Path.of(result.path("modelPath").asString())).exists();
            assertThat(Files.readString(Path.of(result.path("reportPath").asString())))
                    .contains("\"why\" : \"the container of worker-");
            try (ObjectStore bucket = store.bucket("runs")) {
                assertThat(bucket.list("")).as("shards of a run that is over").isEmpty();
            }
        }
        assertThat(containers()).as("nothing is left behind").isEmpty();
    }

    /** The parameters and the batch are those of the recipe; the text is shorter, so that the run ends soon. */
    @Test
    void shouldTrainARecipeOfATextInContainersOf256MB() throws Exception {
        String image = Docker.workerImage();
        Path recipe = RepositoryRoot.path().resolve("recipes/nanogpt-shakespeare");
        Path text = Files.writeString(
                folder.resolve("text.txt"),
                "What shall I say of this text? It repeats itself, word by word.\n".repeat(400));
        try (FleetgradProcess train = FleetgradProcess.start(
                folder,
                "train",
                "@" + recipe,
                "--data",
                text.toString(),
                "--json",
                "--out",
                "run",
                "--invoker",
                "docker",
                "--image",
                image,
                "--memory",
                "256m",
                "--max-steps",
                "60")) {
            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();

            JsonNode result = train.lastLineAsJson();
            assertThat(result.path("killed").asInt()).as(train.stderr()).isZero();
            assertThat(result.path("version").asLong()).isGreaterThanOrEqualTo(60);
            assertThat(result.path("samplesLost").asLong()).isZero();
            assertThat(result.path("samplesDoubled").asLong()).isZero();
            assertThat(result.path("peakMemoryMiB").asDouble()).isBetween(50.0, 256.0);
            assertThat(result.path("heldOutLoss").asDouble()).isLessThan(3);
        }
    }

    private static S3Container started() throws IOException {
        S3Container store = new S3Container();
        store.start();
        return store;
    }

    /** Returns the containers of all runs on this machine; no other run may be under way. */
    private static List<String> containers() throws IOException {
        return Docker.run("ps", "--quiet", "--no-trunc", "--filter", "label=org.fleetgrad=worker")
                .lines()
                .toList();
    }
}
