package org.fleetgrad.e2e.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.Credentials;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.ServiceToken;
import org.fleetgrad.datasets.shard.ShardManifest;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The images of the inference API and of the dataset command line. */
@Order(Order.DEFAULT + 3)
@Tag("whole")
class ServiceContainersIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final List<String> KEYS = List.of(
            "-e", "PS_SECURITY_KEYS_WORKER_ACCESSKEY=worker",
            "-e", "PS_SECURITY_KEYS_WORKER_SECRETKEY=worker-secret",
            "-e", "PS_SECURITY_KEYS_EVALUATOR_ACCESSKEY=evaluator",
            "-e", "PS_SECURITY_KEYS_EVALUATOR_SECRETKEY=evaluator-secret");

    private static final Path WORDPIECE =
            RepositoryRoot.path().resolve("lib/tokenizers/src/test/resources/org/fleetgrad/tokenizers/wordpiece.json");

    @TempDir
    private Path folder;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @BeforeAll
    static void requireDocker() throws IOException {
        Docker.require();
    }

    @Test
    void shouldPredictWithTheParametersOfTheServer() throws Exception {
        NetworkSpec network = Networks.usual("lenet5").spec();
        try (ServiceContainer server = ServiceContainer.start(Docker.image("ps-service"), "384m", KEYS)) {
            URI address = server.awaitHealthy().address(29500);
            try (ServiceContainer inference =
                    ServiceContainer.start(Docker.image("inference-api"), "512m", inferenceFlags(address))) {
                URI api = inference.awaitHealthy().address(29600);
                assertThat(get(api.resolve("/actuator/health/readiness")).statusCode())
                        .isEqualTo(503);
                Object put = new PsClient(address, ClientOptions.DEFAULT)
                        .withCredentials(new Credentials("worker", "worker-secret"))
                        .putInitial(TensorSet.ofFloats(
                                network.layout(), Networks.usual("lenet5").initialParameters(1), network.metadata()));

                await().atMost(TIMEOUT)
                        .until(() ->
                                get(api.resolve("/actuator/health/readiness")).statusCode() == 200);
                JsonNode prediction = predict(api, "{\"image\":[%s0]}".formatted("0,".repeat(network.inputSize() - 1)));

                assertThat(prediction.path("predictions").size())
                        .as("%s %s", put, prediction)
                        .isEqualTo(1);
                assertThat(inference.execute("id", "-u")).isEqualTo("10001");
                inference.docker("stop");
                assertThat(inference.exitCode()).isEqualTo(143);
            }
        }
    }

    /** The native library lies in the images: a container may run nothing from /tmp. */
    @Test
    void shouldEncodeTextsWithATokenizerFile() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.copy(WORDPIECE, folder.resolve("wordpiece.json"));
        Files.writeString(
                folder.resolve("wood.csv"),
                "label,text\n" + "wood,how much wood\nchuck,would a woodchuck chuck\n".repeat(20));
        String[] asLittle = "run --rm --read-only --cap-drop ALL -m 384m --tmpfs /tmp -v %s:/data"
                .formatted(folder)
                .split(" ");
        String[] shard = "shard wood.csv --tokenizer wordpiece.json --context 8 --shards 1 --out shards".split(" ");
        assertThat(run(
                        asLittle,
                        Stream.concat(Stream.of(Docker.image("dataset-tools")), Stream.of(shard))
                                .toArray(String[]::new)))
                .contains("shards");
        NetworkDefinition bert = Networks.named(
                "bert?classes=2&context=8&dropout=0&heads=2&layers=1&padding=0&positions=8&vocabulary=54&width=8");
        Map<String, String> metadata = Map.of(
                "network",
                bert.spec().name(),
                "tokenizer",
                ShardManifest.read(folder.resolve("shards/manifest.json"))
                        .schema()
                        .textTokenizer()
                        .orElseThrow()
                        .text());
        try (ServiceContainer server = ServiceContainer.start(Docker.image("ps-service"), "384m", KEYS)) {
            URI address = server.awaitHealthy().address(29500);
            List<String> flags = new ArrayList<>(inferenceFlags(address));
            flags.addAll(List.of("-v", folder.resolve("shards") + ":/shards:ro", "-e", "INFERENCE_TESTSHARD=/shards"));
            try (ServiceContainer inference = ServiceContainer.start(Docker.image("inference-api"), "512m", flags)) {
                URI api = inference.awaitHealthy().address(29600);
                Object put = new PsClient(address, ClientOptions.DEFAULT)
                        .withCredentials(new Credentials("worker", "worker-secret"))
                        .putInitial(TensorSet.ofFloats(bert.spec().layout(), bert.initialParameters(1), metadata));

                await().atMost(TIMEOUT)
                        .untilAsserted(() -> assertThat(predict(api, "{\"text\":\"a woodchuck\"}")
                                        .path("predictions"))
                                .as("%s %s", put, inference.logs())
                                .hasSize(1));
            }
        }
    }

    private static List<String> inferenceFlags(URI server) {
        return List.of(
                "-e", "INFERENCE_SERVER=" + server,
                "-e", "INFERENCE_ACCESSKEY=evaluator",
                "-e", "INFERENCE_SECRETKEY=evaluator-secret",
                "-e", "INFERENCE_SECURITY_KEYS_READER_ACCESSKEY=reader",
                "-e", "INFERENCE_SECURITY_KEYS_READER_SECRETKEY=reader-secret");
    }

    private JsonNode predict(URI api, String body) throws IOException, InterruptedException {
        ServiceToken token = new ServiceToken(api, new Credentials("reader", "reader-secret"), ClientOptions.DEFAULT);
        HttpRequest request = HttpRequest.newBuilder(api.resolve("/predict"))
                .header("Content-Type", "application/json")
                .header("Authorization", token.authorization().orElseThrow())
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return JsonMapper.builder()
                .build()
                .readTree(
                        http.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }

    private HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void shouldPrepareADatasetAsNobody() throws Exception {
        String image = Docker.image("dataset-tools");
        String[] asLittle =
                "run --rm --read-only --cap-drop ALL -m 384m --tmpfs /tmp --tmpfs /data:uid=10001".split(" ");

        assertThat(run(asLittle, image, "--help")).contains("dataset-tools", "put-work");
        assertThat(run(asLittle, image, "synth", "--out", "digits", "--train", "20", "--test", "10"))
                .contains("digits/train-images-idx3-ubyte");
    }

    private static String run(String[] flags, String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(flags));
        command.addAll(List.of(more));
        return Docker.run(command.toArray(String[]::new));
    }
}
