package org.fleetgrad.e2e.compose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.ServiceToken;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.e2e.container.Docker;
import org.fleetgrad.e2e.s3.S3Image;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.testing.FreePorts;
import org.fleetgrad.testing.RepositoryRoot;
import org.fleetgrad.testing.Requirement;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code docker-compose up} trains and serves, and continues after a restart. */
@Order(Order.DEFAULT + 9)
@Tag("whole")
class ComposeIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final int SAMPLES = 5000;
    private static final int EPOCHS = 4;
    private static final long ALL = (long) SAMPLES * EPOCHS;
    private static final double LEARNED = 0.9;
    /** So many that a model with an accuracy of 90% has 80% of them right but once in a hundred thousand times. */
    private static final int QUESTIONS = 200;

    private static final String READER_KEY = "a-reader-of-this-test";

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final int serverPort = FreePorts.next();
    private final URI inference = URI.create("http://127.0.0.1:" + FreePorts.next());
    private final PsClient server = new PsClient(
                    URI.create("http://127.0.0.1:" + serverPort),
                    ClientOptions.DEFAULT.withRetryFor(Duration.ofMinutes(1)))
            .withCredentials(new Credentials("reader", READER_KEY));

    private final ServiceToken token =
            new ServiceToken(inference, new Credentials("reader", READER_KEY), ClientOptions.DEFAULT);

    ComposeIT() throws IOException {}

    @BeforeAll
    static void buildImages() throws IOException {
        Docker.require();
        Requirement.DOCKER.check(
                ComposeProject.program().isPresent(), "there is neither docker-compose nor 'docker compose'");
        for (String image : List.of("worker", "ps-service", "inference-api", "dataset-tools")) {
            String unused = Docker.image(image);
        }
    }

    private Map<String, String> variables() throws IOException {
        Map<String, String> variables = new TreeMap<>();
        variables.put(
                "COMPOSE_PROJECT_NAME",
                "fleetgrad-test-" + ProcessHandle.current().pid());
        variables.put("S3_IMAGE", S3Image.choose());
        variables.put("PS_PORT", Integer.toString(serverPort));
        variables.put("INFERENCE_PORT", Integer.toString(inference.getPort()));
        variables.put("TRAIN_SAMPLES", Integer.toString(SAMPLES));
        variables.put("TEST_SAMPLES", "1000");
        variables.put("EPOCHS", Integer.toString(EPOCHS));
        variables.put("READER_KEY", READER_KEY);
        return variables;
    }

    @Test
    void shouldTrainAndServeAndLoseAndDoubleNoSampleWhenContainersAreKilled() throws Exception {
        try (ComposeProject project = new ComposeProject(variables())) {
            project.run("up", "-d", "--scale", "worker=2");
            await().atMost(TIMEOUT)
                    .until(() -> server.status().workers().stream()
                                    .filter(worker -> worker.applied() > 10)
                                    .count()
                            == 2);

            Docker.run("kill", project.containers("worker").get(0));
            Docker.run("kill", project.containers("ps-service").get(0));
            project.run("up", "-d", "--scale", "worker=2");
            StatusReply status = await().atMost(TIMEOUT)
                    .until(server::status, now -> work(now).done());

            assertThat(work(status).samples()).isEqualTo(ALL);
            assertThat(status.samples()).isEqualTo(ALL);
            await().atMost(TIMEOUT)
                    .until(() ->
                            get("/status").path("evaluation").path("accuracy").asDouble() > LEARNED);
            assertThat(rightAnswers()).isGreaterThan((int) (QUESTIONS * 0.8));

            project.run("up", "-d", "--scale", "worker=2");
            assertThat(server.status().samples()).as("what is done is done").isEqualTo(ALL);
        }
    }

    private static StatusReply.Work work(StatusReply status) {
        return Objects.requireNonNull(status.work());
    }

    /** Predicts digits that are in neither half of the dataset. */
    private int rightAnswers() throws IOException, InterruptedException {
        ImageSamples digits = SyntheticDigits.generate(QUESTIONS, 77);
        int right = 0;
        for (int i = 0; i < QUESTIONS; i++) {
            int first = i * digits.imageBytes();
            String pixels = IntStream.range(first, first + digits.imageBytes())
                    .mapToObj(at -> Integer.toString(Byte.toUnsignedInt(digits.images()[at])))
                    .collect(Collectors.joining(",", "{\"image\":[", "]}"));
            JsonNode answer = send(HttpRequest.newBuilder(inference.resolve("/predict"))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(pixels)));
            if (answer.path("predictions").path(0).path("class").asInt(-1) == digits.label(i)) {
                right++;
            }
        }
        return right;
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(inference.resolve(path)));
    }

    private JsonNode send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpRequest authorized = request.header(
                        "Authorization", token.authorization().orElseThrow())
                .build();
        return JsonMapper.builder()
                .build()
                .readTree(http.send(authorized, HttpResponse.BodyHandlers.ofString())
                        .body());
    }

    /** The images have the names that {@code docker/build} gives them. */
    @Test
    void shouldNameTheImagesOfThisVersion() throws Exception {
        String version = Docker.execute(List.of(
                        "sed",
                        "-n",
                        "s|^  <version>\\(.*\\)</version>$|\\1|p",
                        RepositoryRoot.path().resolve("pom.xml").toString()))
                .out()
                .strip()
                .toLowerCase(Locale.ROOT);

        assertThat(Files.readAllLines(RepositoryRoot.path().resolve("docker/compose.yaml")))
                .filteredOn(line -> line.contains("image: fleetgrad/"))
                .hasSize(5)
                .allMatch(line -> line.endsWith(":${FLEETGRAD_VERSION:-%s}".formatted(version)));
    }
}
