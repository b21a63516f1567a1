package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.datasets.folder.DatasetFolder;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.testing.OpenApiContract;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The file of a tokenizer lies in the test shard, which appears, or is replaced, after the version that was trained with it. */
@Tag("kernels")
class LateTokenizerTest {

    private static final OpenApiContract CONTRACT = OpenApiContract.load();
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Path WORDPIECE =
            Path.of("../lib/tokenizers/src/test/resources/org/fleetgrad/tokenizers/wordpiece.json");
    private static final NetworkDefinition BERT = Networks.named(
            "bert?classes=2&context=8&dropout=0&heads=2&layers=1&padding=0&positions=8&vocabulary=54&width=8");

    @TempDir
    private Path folder;

    @Test
    void shouldReadTextsAndEvaluateOnceTheFileIsThere() throws Exception {
        Path shards = folder.resolve("shards");
        Dataset first = dataset("first", "");
        // The same tokens with another digest.
        Dataset second = dataset("second", "\n");
        try (FakeParameterServer server = new FakeParameterServer(0).heldTo(CONTRACT);
                RunningService service = RunningService.start(
                        "inference.server=" + server.uri(),
                        "inference.test-shard=" + shards,
                        "inference.evaluation-interval=10ms")) {
            ParameterVersion early = new ParameterVersion("first", 1);
            server.publish(early, parameters(first));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(predict(service))
                            .contains("503", "the model's tokens are of tokenizer.json with 54 tokens"));

            ShardSet.write(shards, first, 1);
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(predict(service)).contains("200", "\"version\":1"));
            await().atMost(PATIENCE).until(() -> server.accuracyOf(early).isPresent());

            ParameterVersion other = new ParameterVersion("second", 1);
            server.publish(other, parameters(second));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(predict(service))
                            .contains("503", "the model's tokens are of tokenizer.json with 54 tokens"));

            ShardSet.write(shards, second, 1);
            await().atMost(PATIENCE).until(() -> server.accuracyOf(other).isPresent());
            assertThat(predict(service)).contains("200", "\"generation\":\"second\"");
            assertThat(inferred(service)).isEqualTo(probability(service));
            assertThat(server.violations()).isEmpty();
        }
    }

    private Dataset dataset(String name, String after) throws IOException {
        Path tokenizer = folder.resolve(name + ".json");
        Files.writeString(tokenizer, Files.readString(WORDPIECE) + after);
        Path texts = folder.resolve(name + ".csv");
        Files.writeString(texts, "label,text\n" + "wood,how much wood\nchuck,would a woodchuck chuck\n".repeat(20));
        return DatasetFolder.read(
                texts,
                new FolderOptions(
                        Optional.empty(), OptionalInt.empty(), Optional.of(tokenizer.toString()), OptionalInt.of(8)));
    }

    private static TensorSet parameters(Dataset dataset) {
        return TensorSet.ofFloats(
                BERT.spec().layout(),
                BERT.initialParameters(1),
                Map.of(
                        MetadataKeys.NETWORK,
                        BERT.spec().name(),
                        MetadataKeys.TOKENIZER,
                        dataset.schema().textTokenizer().orElseThrow().text()));
    }

    /** Returns the first probability of a text by the Open Inference Protocol. */
    private static double inferred(RunningService service) {
        HttpResponse<byte[]> described = CONTRACT.send(service.get("/v2/models/fleetgrad"));
        JsonNode input = JSON.readTree(described.body()).get("inputs").get(0);
        assertThat(input.toString()).isEqualTo("{\"name\":\"text\",\"datatype\":\"BYTES\",\"shape\":[-1]}");
        HttpResponse<byte[]> response = CONTRACT.send(
                service.postJson(
                        "/v2/models/fleetgrad/infer",
                        "{\"inputs\":[{\"name\":\"text\",\"datatype\":\"BYTES\",\"shape\":[2],\"data\":[\"a woodchuck\",\"how much\"]}],\"outputs\":[{\"name\":\"probabilities\"}]}"));
        JsonNode data = JSON.readTree(response.body()).get("outputs").get(0).get("data");
        assertThat(data).hasSize(4);
        return data.get(0).asDouble();
    }

    private static double probability(RunningService service) {
        HttpResponse<byte[]> response =
                CONTRACT.send(service.postJson("/predict", "{\"texts\":[\"a woodchuck\",\"how much\"]}"));
        return JSON.readTree(response.body())
                .get("predictions")
                .get(0)
                .get("probabilities")
                .get(0)
                .asDouble();
    }

    /** Returns the status and the body. */
    private static String predict(RunningService service) {
        HttpResponse<byte[]> response = CONTRACT.send(service.postJson("/predict", "{\"text\":\"a woodchuck\"}"));
        return response.statusCode() + " " + new String(response.body(), StandardCharsets.UTF_8);
    }
}
