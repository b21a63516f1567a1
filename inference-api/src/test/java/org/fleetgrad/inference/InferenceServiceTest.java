package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.datasets.ClassNames;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.Split;
import org.fleetgrad.networks.Softmax;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.RunMessages.PutAccuracyRequest;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.testing.GrafanaDashboard;
import org.fleetgrad.testing.OpenApiContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The complete service with the real network; the service and its parameter server communicate over HTTP. */
@Tag("kernels")
class InferenceServiceTest {

    private static final OpenApiContract CONTRACT = OpenApiContract.load();
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ImageSamples SAMPLES = samples(230);

    @TempDir
    private static Path folder;

    private static FakeParameterServer server;
    private static RunningService service;
    private static long generations;

    @BeforeAll
    static void start() throws IOException {
        Path shard = folder.resolve("test.tar.gz");
        ShardArchive.write(
                Shard.of(
                        "noise",
                        Split.TEST,
                        ClassNames.of("noise", 9),
                        new Normalization(List.of(0.1307f), List.of(0.3081f)),
                        new SampleRange(0, SAMPLES.count(), SAMPLES.count()),
                        SAMPLES),
                shard);
        server = new FakeParameterServer(0).heldTo(CONTRACT);
        service = RunningService.start(
                "inference.server=" + server.uri(),
                "inference.test-shard=" + shard,
                "inference.evaluation-interval=10ms",
                "inference.evaluation-memory=1MB",
                "inference.follow-interval=1ms");
    }

    @AfterAll
    static void stop() {
        service.close();
        server.close();
    }

    @AfterEach
    void everyExchangeWithTheServerWasAsDocumented() {
        assertThat(server.violations()).isEmpty();
    }

    @Test
    void shouldAnswerWhatTheNetworkAnswers() {
        ParameterVersion version = publish(newGeneration(), 7, Map.of());
        int[] first = LeNet.image(1);
        int[] second = LeNet.image(2);

        JsonNode reply = predict("{\"images\":[%s,%s]}".formatted(LeNet.json(first), LeNet.json(second)));

        assertThat(reply.get("version").asLong()).isEqualTo(7);
        assertThat(reply.get("generation").asString()).isEqualTo(version.generation());
        assertThat(reply.get("predictions").size()).isEqualTo(2);
        assertAnswers(reply.get("predictions").get(0), version, first);
        assertAnswers(reply.get("predictions").get(1), version, second);
    }

    @Test
    void shouldAnswerTheSameToPngAsToItsPixels() throws IOException {
        publish(newGeneration(), 1, Map.of());
        int[] pixels = LeNet.image(3);
        BufferedImage image = new BufferedImage(28, 28, BufferedImage.TYPE_BYTE_GRAY);
        image.getRaster().setSamples(0, 0, 28, 28, 0, pixels);
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        ImageIO.write(image, "png", png);

        assertThat(parsed(CONTRACT.send(service.post("/predict", "image/png", png.toByteArray())))
                        .get("predictions"))
                .isEqualTo(
                        predict("{\"image\":%s}".formatted(LeNet.json(pixels))).get("predictions"));
        int[] inverted = Arrays.stream(pixels).map(pixel -> 255 - pixel).toArray();
        assertThat(parsed(CONTRACT.send(service.post("/predict?invert=true", "image/png", png.toByteArray())))
                        .get("predictions"))
                .isEqualTo(predict("{\"image\":%s}".formatted(LeNet.json(inverted)))
                        .get("predictions"));
    }

    @Test
    void shouldAnswerTheSameToSafetensorsAsToJson() {
        publish(newGeneration(), 1, Map.of());
        int[] pixels = LeNet.image(8);
        ByteBuffer image = ByteBuffer.allocate(pixels.length);
        Arrays.stream(pixels).forEach(pixel -> image.put((byte) pixel));
        TensorSpec input = new TensorSpec("pixels", DType.U8, List.of(1L, 1L, 28L, 28L));
        ByteBuffer file =
                Safetensors.encode(new TensorSet(TensorLayout.canonical(List.of(input)), image.flip(), Map.of()));
        byte[] body = new byte[file.remaining()];
        file.get(body);

        JsonNode reply = parsed(CONTRACT.send(service.post("/predict", "application/vnd.safetensors", body)));

        assertThat(reply.get("predictions"))
                .isEqualTo(
                        predict("{\"image\":%s}".formatted(LeNet.json(pixels))).get("predictions"));
    }

    @Test
    void shouldAnswerWithTheVersionThatTheRequestAsksFor() {
        String generation = newGeneration();
        ParameterVersion first = publish(generation, 1, Map.of());
        publish(generation, 2, Map.of());
        int[] image = LeNet.image(9);
        String body = "{\"image\":%s}".formatted(LeNet.json(image));

        for (String version : List.of("1", generation + "-1")) {
            JsonNode reply = parsed(CONTRACT.send(service.postJson("/predict?version=" + version, body)));

            assertThat(reply.get("version").asLong()).isEqualTo(1);
            assertAnswers(reply.get("predictions").get(0), first, image);
        }
        assertThat(predict(body).get("version").asLong()).isEqualTo(2);
    }

    @Test
    void shouldReportTheAccuracyThatTheTestComputesItself() {
        ParameterVersion version = publish(newGeneration(), 11, Map.of());

        await().atMost(PATIENCE).until(() -> server.accuracyOf(version).isPresent());

        PutAccuracyRequest reported = server.accuracyOf(version).orElseThrow();
        float[] logits = LeNet.logits(version, LeNet.normalized(pixels(SAMPLES)), SAMPLES.count());
        int right = 0;
        int rightTop = 0;
        double loss = 0;
        for (int i = 0; i < SAMPLES.count(); i++) {
            float[] probabilities = Softmax.probabilities(Arrays.copyOfRange(logits, i * 10, (i + 1) * 10));
            right += argmax(probabilities) == SAMPLES.label(i) ? 1 : 0;
            float own = probabilities[SAMPLES.label(i)];
            rightTop +=
                    IntStream.range(0, 10).filter(k -> probabilities[k] > own).count() < 5 ? 1 : 0;
            loss -= Math.log(probabilities[SAMPLES.label(i)]);
        }
        assertThat(reported.accuracy()).isEqualTo((double) right / SAMPLES.count());
        assertThat(reported.accuracyTop5()).isEqualTo((double) rightTop / SAMPLES.count());
        assertThat(reported.loss()).isCloseTo(loss / SAMPLES.count(), within(1e-5));
        assertThat(reported.samples()).isEqualTo(SAMPLES.count());

        JsonNode reply = predict("{\"image\":%s}".formatted(LeNet.json(LeNet.image(4))));
        assertThat(reply.get("accuracyVersion").asLong()).isEqualTo(11);
        assertThat(reply.get("accuracy").asDouble()).isEqualTo(reported.accuracy());
        assertThat(reply.get("versionAccuracy").asDouble()).isEqualTo(reported.accuracy());
        JsonNode evaluation = status().get("evaluation");
        assertThat(evaluation.get("version").asLong()).isEqualTo(11);
        assertThat(evaluation.get("accuracyTop5").asDouble()).isEqualTo(reported.accuracyTop5());
        assertThat(status().has("evaluationDetail")).isFalse();
    }

    @Test
    void shouldTakeClassNamesFromTheParameterSet() {
        publish(newGeneration(), 1, Map.of("classes", "[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\",\"i\",\"j\"]"));
        JsonNode prediction = predict("{\"image\":%s}".formatted(LeNet.json(LeNet.image(5))))
                .get("predictions")
                .get(0);

        assertThat(prediction.get("label").asString())
                .isEqualTo(String.valueOf((char) ('a' + prediction.get("class").asInt())));
        assertThat(status().get("classes").toString()).startsWith("[\"a\",\"b\",\"c\",");
    }

    @Test
    void shouldNeitherFailNorMixVersionsWhileVersionsSwap() throws Exception {
        String generation = newGeneration();
        publish(generation, 0, Map.of());
        int[] image = LeNet.image(6);
        AtomicBoolean isOver = new AtomicBoolean();
        ExecutorService clients = Executors.newFixedThreadPool(2);
        List<Future<List<JsonNode>>> replies = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            replies.add(clients.submit(() -> hammer(image, isOver)));
        }

        for (long number = 1; number <= 40; number++) {
            publish(generation, number, Map.of());
        }
        isOver.set(true);

        Set<Long> versions = new TreeSet<>();
        for (Future<List<JsonNode>> client : replies) {
            for (JsonNode reply : client.get()) {
                ParameterVersion version =
                        new ParameterVersion(generation, reply.get("version").asLong());
                assertAnswers(reply.get("predictions").get(0), version, image);
                versions.add(version.version());
            }
        }
        clients.shutdown();
        assertThat(versions).hasSizeGreaterThan(2);
    }

    /** Predicts until {@code isOver}, and returns one reply for each version. */
    private static List<JsonNode> hammer(int[] image, AtomicBoolean isOver) {
        List<JsonNode> replies = new ArrayList<>();
        long newest = -1;
        while (!isOver.get()) {
            JsonNode reply = predict("{\"image\":%s}".formatted(LeNet.json(image)));
            if (reply.get("version").asLong() != newest) {
                newest = reply.get("version").asLong();
                replies.add(reply);
            }
        }
        return replies;
    }

    @Test
    void shouldReportItsState() throws Exception {
        ParameterVersion version = publish(newGeneration(), 3, Map.of());

        JsonNode status = status();

        assertThat(status.get("state").asString()).isEqualTo("serving");
        assertThat(status.get("version").asLong()).isEqualTo(3);
        assertThat(status.get("generation").asString()).isEqualTo(version.generation());
        assertThat(status.get("lag").asLong()).isZero();
        assertThat(status.get("network").asString()).isEqualTo("lenet5?classes=10&input=1x28x28");
        assertThat(status.has("detail")).isFalse();
        assertThat(CONTRACT.send(service.get("/actuator/health/readiness")).statusCode())
                .isEqualTo(200);
        assertThat(CONTRACT.send(service.get("/actuator/health/liveness")).statusCode())
                .isEqualTo(200);
        predict("{\"image\":%s}".formatted(LeNet.json(LeNet.image(1))));
        String metrics =
                new String(CONTRACT.send(service.get("/actuator/prometheus")).body(), StandardCharsets.UTF_8);
        assertThat(metrics)
                .contains("inference_model_version 3.0")
                .containsPattern("inference_predict_seconds_count [1-9]");
        assertThat(GrafanaDashboard.missing("inference-api", metrics)).isEmpty();
    }

    @Test
    void shouldServeModelOfFewerClassesThanTheNetworkHasOutputs() {
        publish(newGeneration(), 1, Map.of("classes", "[\"cat\",\"dog\",\"owl\"]"));

        JsonNode prediction = predict("{\"image\":%s}".formatted(LeNet.json(LeNet.image(1))))
                .get("predictions")
                .get(0);

        int output = prediction.get("class").asInt();
        assertThat(prediction.get("label").asString())
                .isEqualTo(output < 3 ? List.of("cat", "dog", "owl").get(output) : "output " + output);
        assertThat(prediction.get("probabilities")).hasSize(10);
        assertThat(status().has("detail")).isFalse();
    }

    @Test
    void shouldKeepServingWhenParameterSetOfMoreClassesComes() {
        String generation = newGeneration();
        publish(generation, 1, Map.of());

        ParameterVersion next = new ParameterVersion(generation, 2);
        server.publish(
                next,
                LeNet.set(
                        next,
                        Map.of("classes", "[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\",\"i\",\"j\",\"k\"]")));

        await().atMost(PATIENCE).until(() -> status().has("detail"));
        assertThat(status().get("detail").asString())
                .isEqualTo(
                        "the parameter set %s-2 does not fit: the parameter set's metadata 'classes' names 11 classes,"
                                        .formatted(generation)
                                + " the network has 10 outputs");
        assertThat(predict("{\"image\":%s}".formatted(LeNet.json(LeNet.image(1))))
                        .get("version")
                        .asLong())
                .isEqualTo(1);
    }

    private static synchronized String newGeneration() {
        return "generation" + generations++;
    }

    /** Publishes a version and waits until it is served. */
    private static ParameterVersion publish(String generation, long number, Map<String, String> metadata) {
        ParameterVersion version = new ParameterVersion(generation, number);
        server.publish(version, LeNet.set(version, metadata));
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(2)).until(() -> isServed(version));
        return version;
    }

    private static boolean isServed(ParameterVersion version) {
        JsonNode status = status();
        return status.has("generation")
                && version.equals(new ParameterVersion(
                        status.get("generation").asString(),
                        status.get("version").asLong()));
    }

    private static JsonNode status() {
        return parsed(CONTRACT.send(service.get("/status")));
    }

    private static JsonNode predict(String body) {
        HttpResponse<byte[]> response = CONTRACT.send(service.postJson("/predict", body));
        assertThat(response.statusCode()).isEqualTo(200);
        return parsed(response);
    }

    private static JsonNode parsed(HttpResponse<byte[]> response) {
        return JSON.readTree(response.body());
    }

    private static void assertAnswers(JsonNode prediction, ParameterVersion version, int[] image) {
        float[] expected = Softmax.probabilities(LeNet.logits(version, LeNet.normalized(image), 1));
        assertThat(prediction.get("probabilities").valueStream().map(JsonNode::floatValue))
                .zipSatisfy(
                        IntStream.range(0, expected.length)
                                .mapToObj(i -> expected[i])
                                .toList(),
                        (actual, wanted) -> assertThat(actual).isCloseTo(wanted, within(1e-6f)));
        assertThat(prediction.get("class").asInt()).isEqualTo(argmax(expected));
        assertThat(prediction.get("label").asString()).isEqualTo(Integer.toString(argmax(expected)));
    }

    private static int argmax(float[] values) {
        int best = 0;
        for (int i = 1; i < values.length; i++) {
            best = values[i] > values[best] ? i : best;
        }
        return best;
    }

    private static ImageSamples samples(int count) {
        Random random = new Random(99);
        byte[] images = new byte[count * 784];
        byte[] labels = new byte[count];
        random.nextBytes(images);
        for (int i = 0; i < count; i++) {
            labels[i] = (byte) random.nextInt(10);
        }
        return new ImageSamples(1, 28, 28, images, labels);
    }

    private static int[] pixels(ImageSamples samples) {
        int[] pixels = new int[samples.images().length];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = samples.images()[i] & 0xFF;
        }
        return pixels;
    }
}
