package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.Split;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.Softmax;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.testing.OpenApiContract;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The service while the network that the server's versions name changes. */
class OtherNetworkTest {

    private static final OpenApiContract CONTRACT = OpenApiContract.load();
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final NetworkDefinition RESNET = Networks.named("resnet20?classes=3&input=3x8x8");
    private static final Map<String, String> RESNET_METADATA = Map.of(
            MetadataKeys.NETWORK,
            RESNET.spec().name(),
            ParameterState.KEY,
            RESNET.spec().state().text(),
            MetadataKeys.CLASSES,
            "[\"cat\",\"dog\",\"owl\"]",
            MetadataKeys.NORMALIZATION,
            "{\"mean\":[0.5,0.5,0.5],\"std\":[0.25,0.25,0.25]}");
    private static final int COLOURS = 3 * 8 * 8;

    @TempDir
    private Path folder;

    @Test
    void shouldServeAndEvaluateTheNetworkThatEachVersionNames() throws IOException {
        Path shard = folder.resolve("test.tar.gz");
        writeColours(shard);
        try (FakeParameterServer server = new FakeParameterServer(0).heldTo(CONTRACT);
                RunningService service = RunningService.start(
                        "inference.server=" + server.uri(),
                        "inference.test-shard=" + shard,
                        "inference.evaluation-interval=10ms",
                        "inference.follow-interval=1ms")) {
            ParameterVersion grey = new ParameterVersion("first", 4);
            server.publish(grey, LeNet.set(grey, Map.of()));
            awaitServed(service, grey);
            assertThat(predict(service, LeNet.json(LeNet.image(1))).statusCode())
                    .isEqualTo(200);
            await().atMost(PATIENCE).until(() -> status(service).has("evaluationDetail"));
            assertThat(status(service).get("evaluationDetail").asString())
                    .endsWith("do not fit: the network 'lenet5?classes=10&input=1x28x28' takes images of [1, 28, 28],"
                            + " the dataset has [3, 8, 8]");
            HttpResponse<byte[]> unevaluated = CONTRACT.send(service.get("/evaluation"));
            assertThat(unevaluated.statusCode()).isEqualTo(404);
            assertThat(JSON.readTree(unevaluated.body()).get("detail"))
                    .isEqualTo(status(service).get("evaluationDetail"));

            ParameterVersion colour = new ParameterVersion("second", 0);
            server.publish(colour, TensorSet.ofFloats(RESNET.spec().layout(), values(), RESNET_METADATA));
            awaitServed(service, colour);

            assertThat(status(service).get("network").asString()).isEqualTo("resnet20?classes=3&input=3x8x8");
            assertAnswer(predict(service, LeNet.json(pixels())));
            HttpResponse<byte[]> tooMany = predict(service, LeNet.json(LeNet.image(1)));
            assertThat(tooMany.statusCode()).isEqualTo(400);
            assertThat(JSON.readTree(tooMany.body()).get("detail").asString())
                    .isEqualTo("image 0 is an array of 784 values, the network takes 3 x 8 x 8 (192 in a flat array)");
            await().atMost(PATIENCE).until(() -> server.accuracyOf(colour).isPresent());
            assertThat(server.accuracyOf(colour).orElseThrow().accuracyTop5()).isNull();
            assertThat(status(service).has("evaluationDetail")).isFalse();
            assertConfusion(
                    CONTRACT.send(service.get("/evaluation")), status(service).get("evaluation"));
            assertThat(JSON.readTree(CONTRACT.send(service.get("/evaluation")).body())
                            .has("best"))
                    .isFalse();
            assertThat(server.accuracyOf(grey)).isEmpty();

            for (int version = 1; version <= 2; version++) {
                ParameterVersion biased = new ParameterVersion("second", version);
                server.publish(
                        biased, TensorSet.ofFloats(RESNET.spec().layout(), biased(version * 1_000f), RESNET_METADATA));
                await().atMost(PATIENCE).until(() -> server.accuracyOf(biased).isPresent());
            }
            JsonNode reply =
                    JSON.readTree(CONTRACT.send(service.get("/evaluation")).body());
            assertThat(reply.get("evaluation").get("version").asLong()).isEqualTo(2);
            assertThat(reply.get("best").get("version").asLong()).isLessThan(2);
            assertThat(reply.get("best").get("details").get("classes").has("confusion"))
                    .isTrue();
            assertThat(server.violations()).isEmpty();
        }
    }

    @Test
    void shouldKeepServingWhenAVersionNamesNoNetworkHere() throws IOException {
        try (FakeParameterServer server = new FakeParameterServer(0).heldTo(CONTRACT);
                RunningService service =
                        RunningService.start("inference.server=" + server.uri(), "inference.follow-interval=1ms")) {
            ParameterVersion first = new ParameterVersion("g", 1);
            server.publish(first, LeNet.set(first, Map.of()));
            awaitServed(service, first);

            ParameterVersion second = new ParameterVersion("g", 2);
            server.publish(second, LeNet.set(second, Map.of(MetadataKeys.NETWORK, "lenet9?classes=10")));

            await().atMost(PATIENCE).until(() -> status(service).has("detail"));
            assertThat(status(service).get("detail").asString())
                    .startsWith(
                            "the parameter set g-2 does not fit: there is no network 'lenet9'; the networks are bert,");
            JsonNode reply =
                    JSON.readTree(predict(service, LeNet.json(LeNet.image(1))).body());
            assertThat(reply.get("version").asLong()).isEqualTo(1);
        }
    }

    /** Two samples of each of three classes, of which one knows only which share is right. */
    private static void assertConfusion(HttpResponse<byte[]> response, JsonNode figures) {
        assertThat(response.statusCode()).isEqualTo(200);
        JsonNode evaluation = JSON.readTree(response.body()).get("evaluation");
        assertThat(evaluation.get("version")).isEqualTo(figures.get("version"));
        assertThat(figures.has("details")).isFalse();
        JsonNode classes = evaluation.get("details").get("classes");
        assertThat(classes.get("figures"))
                .extracting(one -> one.get("name").asString())
                .containsExactly("cat", "dog", "owl");
        assertThat(classes.get("figures"))
                .extracting(one -> one.get("samples").asInt())
                .containsOnly(2);
        double right = 0;
        for (int i = 0; i < 3; i++) {
            right += classes.get("confusion").get(i).get(i).asInt();
        }
        assertThat(right / 6).isCloseTo(evaluation.get("accuracy").asDouble(), within(1e-12));
    }

    private static void assertAnswer(HttpResponse<byte[]> response) {
        assertThat(response.statusCode()).isEqualTo(200);
        JsonNode prediction = JSON.readTree(response.body()).get("predictions").get(0);
        float[] expected = Softmax.probabilities(logits());
        assertThat(prediction.get("probabilities")).hasSize(3);
        for (int i = 0; i < 3; i++) {
            assertThat(prediction.get("probabilities").get(i).floatValue()).isCloseTo(expected[i], within(1e-5f));
        }
        assertThat(prediction.get("label").asString())
                .isEqualTo(
                        List.of("cat", "dog", "owl").get(prediction.get("class").asInt()));
    }

    private static float[] logits() {
        int[] pixels = pixels();
        float[] image = new float[COLOURS];
        for (int i = 0; i < COLOURS; i++) {
            image[i] = (pixels[i] / 255f - 0.5f) / 0.25f;
        }
        try (Network network = Libtorch.open(RESNET, Device.CPU)) {
            network.load(TensorSet.ofFloats(RESNET.spec().layout(), values(), Map.of()));
            return network.logits(image, 1);
        }
    }

    private static float[] values() {
        return RESNET.initialParameters(5);
    }

    /** Makes every sample one of the first class; the more certainly, the greater is the loss of those that are not. */
    private static float[] biased(float bias) {
        float[] values = values();
        TensorLayout layout = RESNET.spec().layout();
        int tensor = layout.indexOf("fc.bias").orElseThrow();
        values[Math.toIntExact(layout.byteOffset(tensor) / Float.BYTES)] = bias;
        return values;
    }

    private static int[] pixels() {
        int[] pixels = new int[COLOURS];
        for (int i = 0; i < COLOURS; i++) {
            pixels[i] = i * 7 % 256;
        }
        return pixels;
    }

    private static void writeColours(Path shard) throws IOException {
        byte[] images = new byte[6 * COLOURS];
        for (int i = 0; i < images.length; i++) {
            images[i] = (byte) (i * 13);
        }
        ShardArchive.write(
                Shard.of(
                        "colours",
                        Split.TEST,
                        List.of("cat", "dog", "owl"),
                        new Normalization(List.of(0.5f, 0.5f, 0.5f), List.of(0.25f, 0.25f, 0.25f)),
                        new SampleRange(0, 6, 6),
                        new ImageSamples(3, 8, 8, images, new byte[] {0, 1, 2, 0, 1, 2})),
                shard);
    }

    private static void awaitServed(RunningService service, ParameterVersion version) {
        await().atMost(PATIENCE)
                .until(() -> status(service).path("generation").asString("").equals(version.generation()));
    }

    private static JsonNode status(RunningService service) {
        return JSON.readTree(CONTRACT.send(service.get("/status")).body());
    }

    private static HttpResponse<byte[]> predict(RunningService service, String image) {
        return CONTRACT.send(service.postJson("/predict", "{\"image\":%s}".formatted(image)));
    }
}
