package org.fleetgrad.e2e.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.ServiceToken;
import org.fleetgrad.e2e.container.Docker;
import org.fleetgrad.e2e.kubernetes.Manifests.Pod;
import org.fleetgrad.e2e.s3.S3Image;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The pods of the manifests, with the few privileges that these give them, but without a cluster: they train, serve and
 * end.
 */
@Order(Order.DEFAULT + 8)
@Tag("whole")
class PodsIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final int SAMPLES = 5_000;
    private static final int EPOCHS = 4;
    /** Fewer digits and fewer epochs: enough to show that the network learns. */
    private static final Map<String, String> SHORTER =
            Map.of("--train=12000", "--train=" + SAMPLES, "--epochs=10", "--epochs=" + EPOCHS);

    private static final int KILLED = 128 + 9;

    private Manifests manifests = Manifests.read();
    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    private Path folder;

    private Map<String, String> images = Map.of();

    @BeforeEach
    void build() throws IOException {
        Docker.require();
        images = new HashMap<>();
        for (Pod pod : manifests.pods()) {
            for (JsonNode container : pod.containers()) {
                String image = container.path("image").asString();
                if (image.startsWith("fleetgrad/") && !images.containsKey(image)) {
                    images.put(image, Docker.image(image.replaceAll("^fleetgrad/|:.*", "")));
                } else if (!image.startsWith("fleetgrad/")) {
                    images.put(image, S3Image.choose());
                }
            }
        }
    }

    private Pod pod(String name) {
        return manifests.pod(name);
    }

    @Test
    void shouldTrainServeAndEndWithWhatTheManifestsGiveThem() throws Exception {
        try (PodContainers pods = new PodContainers(manifests, images, SHORTER, folder)) {
            String inference = pods.start(pod("inference-api"), 0);
            String victim = pods.start(pod("worker"), 0);
            List<String> workers = new ArrayList<>(List.of(pods.start(pod("worker"), 1), pods.start(pod("worker"), 2)));
            pods.start(pod("store"), 0);
            String server = pods.start(pod("ps-service"), 0);
            String dataset = pods.start(pod("dataset"), 0);
            assertThat(pods.await(dataset)).as(pods.logs(dataset)).isZero();

            PsClient reader = reader(pods, server);
            await().atMost(TIMEOUT)
                    .until(() -> Objects.requireNonNull(reader.status().work()).samples() > SAMPLES / 2);
            Docker.run("kill", victim);
            assertThat(pods.await(victim)).isEqualTo(KILLED);
            // Like the job does: under the name of a worker whose lease still runs.
            workers.add(pods.start(pod("worker"), 0));
            Docker.run("restart", server);

            for (String worker : workers) {
                assertThat(pods.await(worker)).as(pods.logs(worker)).isZero();
            }
            PsClient again = reader(pods, server);
            StatusReply status = again.status();
            assertThat(status.samples()).as("each counted once").isEqualTo((long) SAMPLES * EPOCHS);
            assertServes(pods.address(inference, 29600), status.version());
            assertProbesAreAnswered(pods, pod("inference-api"), inference);
            assertProbesAreAnswered(pods, pod("ps-service"), server);
        }
    }

    /** Two servers with keys, one of which is killed: each sample counts once on both. */
    @Test
    void shouldTrainOnPartitionsOfTheParametersOfWhichOneIsKilled() throws Exception {
        manifests = new Manifests(Kustomize.render(Kustomize.PARTITIONS));
        try (PodContainers pods = new PodContainers(manifests, images, SHORTER, folder)) {
            String inference = pods.start(pod("inference-api"), 0);
            List<String> workers = new ArrayList<>();
            for (int index = 0; index < 3; index++) {
                workers.add(pods.start(pod("worker"), index));
            }
            pods.start(pod("store"), 0);
            String lead = pods.start(pod("ps-service"), 0);
            String other = pods.start(pod("ps-service"), 1);
            String dataset = pods.start(pod("dataset"), 0);
            assertThat(pods.await(dataset)).as(pods.logs(dataset)).isZero();

            PsClient reader = reader(pods, lead);
            await().atMost(TIMEOUT)
                    .until(() -> Objects.requireNonNull(reader.status().work()).samples() > SAMPLES / 2);
            Docker.run("kill", other);
            Docker.run("start", other);

            for (String worker : workers) {
                assertThat(pods.await(worker)).as(pods.logs(worker)).isZero();
            }
            StatusReply status = reader.status();
            StatusReply second = reader(pods, other).status();
            assertThat(status.samples()).as("each counted once").isEqualTo((long) SAMPLES * EPOCHS);
            assertThat(second.samples()).as("on either").isEqualTo((long) SAMPLES * EPOCHS);
            assertThat(second.version()).isEqualTo(status.version());
            assertServes(pods.address(inference, 29600), status.version());
        }
    }

    private void assertServes(URI predictions, long version) throws Exception {
        ServiceToken token = new ServiceToken(predictions, readersKeys(), ClientOptions.DEFAULT);
        await().atMost(TIMEOUT)
                .until(() -> status(predictions, token)
                                .path("evaluation")
                                .path("version")
                                .asLong()
                        == version);
        assertThat(status(predictions, token)
                        .path("evaluation")
                        .path("accuracy")
                        .asDouble())
                .isGreaterThan(0.9);
    }

    private JsonNode status(URI inference, ServiceToken token) throws IOException, InterruptedException {
        return json(HttpRequest.newBuilder(inference.resolve("/status"))
                .header("Authorization", token.authorization().orElseThrow()));
    }

    private PsClient reader(PodContainers pods, String server) throws IOException {
        return new PsClient(pods.address(server, 29500), ClientOptions.DEFAULT).withCredentials(readersKeys());
    }

    /** The same at both services. */
    private Credentials readersKeys() {
        String key = manifests
                .find("Secret", "fleetgrad-keys")
                .orElseThrow()
                .root()
                .path("stringData")
                .path("reader")
                .asString();
        return new Credentials("reader", key);
    }

    private void assertProbesAreAnswered(PodContainers pods, Pod pod, String id) throws Exception {
        JsonNode container = pod.spec().path("containers").path(0);
        URI address = pods.address(
                id, container.path("ports").path(0).path("containerPort").asInt());
        for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
            String path = container.path(probe).path("httpGet").path("path").asString();
            assertThat(json(HttpRequest.newBuilder(address.resolve(path)))
                            .path("status")
                            .asString())
                    .as(probe)
                    .isEqualTo("UP");
        }
    }

    private JsonNode json(HttpRequest.Builder request) throws IOException, InterruptedException {
        return JsonMapper.shared()
                .readTree(http.send(request.build(), HttpResponse.BodyHandlers.ofString())
                        .body());
    }
}
