package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A whole run whose answered images become samples of its training. */
@Tag("whole")
class LearnFromFeedbackIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final Pattern SERVICES =
            Pattern.compile("ps-service at (http:[^,;\\s]+), inference-api at (http:[^,;\\s]+)");

    @TempDir
    private Path folder;

    private static JsonNode get(String base, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(base + path)).build();
        return JsonMapper.shared()
                .readTree(HttpClient.newHttpClient()
                        .send(request, BodyHandlers.ofString())
                        .body());
    }

    @Test
    void shouldTrainOnTheImagesThatItAnsweredOnceTheirLabelsCame() throws Exception {
        try (FleetgradProcess train = FleetgradProcess.start(
                folder,
                "train",
                "--keep",
                "--learn-from-feedback",
                "--train-samples",
                "2000",
                "--test-samples",
                "200",
                // So long that it ends by the test's hand: nothing is added to work whose last epoch has begun.
                "--epochs",
                "1000",
                "--learning-rate",
                "0.0001",
                "--target-accuracy",
                "1",
                "--out",
                "run")) {
            await().atMost(TIMEOUT).until(() -> SERVICES.matcher(train.stderr()).find());
            Matcher services = SERVICES.matcher(train.stderr());
            assertThat(services.find()).isTrue();
            String server = services.group(1);
            String inference = services.group(2);
            await().atMost(TIMEOUT)
                    .ignoreExceptions()
                    .until(() -> get(server, "/status").path("version").asLong() > 0);

            // Two shards of 40: a tenth of 2,000 in five parts.
            try (FleetgradProcess load = FleetgradProcess.start(
                    Files.createDirectory(folder.resolve("load")),
                    "load",
                    "--json",
                    "--url",
                    inference,
                    "--requests",
                    "80",
                    "--feedback")) {
                assertThat(load.await(TIMEOUT)).as(load.stderr()).isZero();
                assertThat(load.lastLineAsJson().path("failed").asLong()).isZero();
            }
            await().atMost(TIMEOUT)
                    .until(() ->
                            get(server, "/status").at("/work/added/samples").asLong() == 80);

            JsonNode status = get(server, "/status");
            assertThat(status.at("/work/added/shardsLeft").asInt()).isZero();
            assertThat(status.path("samples").asLong())
                    .isGreaterThanOrEqualTo(status.at("/work/samples").asLong());
            assertThat(train.stderr())
                    .contains("feedback: a shard of 40 samples is added to the work")
                    .doesNotContain("Exception", "unexpected");
            train.terminate();
            train.await(Duration.ofSeconds(60));
        }
        try (Stream<Path> shards = Files.list(folder.resolve("run/shards"))) {
            Path learned = shards.filter(file -> file.getFileName().toString().startsWith("feedback-"))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
            assertThat(ShardArchive.read(learned).images().count()).isEqualTo(40);
        }
    }
}
