package org.fleetgrad.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.datasets.ClassNames;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.Split;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.networks.Softmax;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.testing.OpenApiContract;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Feedback over HTTP, with the complete service. Each exchange is as openapi.yaml says. */
class FeedbackServiceTest {

    private static final OpenApiContract CONTRACT = OpenApiContract.load();
    private static final ParameterVersion VERSION = new ParameterVersion("g", 3);

    @TempDir
    private static Path folder;

    private static FakeParameterServer server;
    private static RunningService service;

    @BeforeAll
    static void start() throws IOException {
        server = new FakeParameterServer(0).heldTo(CONTRACT);
        ImageSamples heldOut = SyntheticDigits.generate(10, 1);
        Path test = folder.resolve("test.tar.gz");
        ShardArchive.write(
                Shard.of(
                        "digits",
                        Split.TEST,
                        ClassNames.numbers(SyntheticDigits.CLASSES),
                        new Normalization(List.of(0.1307f), List.of(0.3081f)),
                        new SampleRange(0, 10, 10),
                        heldOut),
                test);
        service = RunningService.start(
                "inference.server=" + server.uri(),
                "inference.feedback.memory=64KB",
                "inference.test-shard=" + test,
                "inference.feedback.learn.folder=" + folder.resolve("collected"),
                "inference.feedback.learn.shard-age=500ms");
        server.publish(VERSION, LeNet.set(VERSION, Map.of()));
        LiveModel model = service.context().getBean(LiveModel.class);
        await().atMost(Duration.ofSeconds(60)).until(() -> model.version().isPresent());
    }

    @AfterAll
    static void stop() {
        service.close();
        server.close();
    }

    private static JsonNode post(String path, String body, int status) {
        HttpResponse<byte[]> answer = CONTRACT.send(service.postJson(path, body));
        JsonNode json = JsonMapper.shared().readTree(answer.body());
        assertThat(answer.statusCode()).as(json.toString()).isEqualTo(status);
        return json;
    }

    private static JsonNode get(String path) {
        return JsonMapper.shared().readTree(CONTRACT.send(service.get(path)).body());
    }

    private static JsonNode predict(long... seeds) {
        StringBuilder images = new StringBuilder();
        for (long seed : seeds) {
            images.append(images.isEmpty() ? "" : ",").append(LeNet.json(LeNet.image(seed)));
        }
        return post("/predict", "{\"images\":[%s]}".formatted(images), 200);
    }

    /** The network's own argmax is the oracle: of an answer the test knows what is right. */
    @Test
    void shouldCountTheAccuracyThatTheTestComputesItself() {
        long before = live("samples");
        long rightBefore = Math.round(
                before == 0
                        ? 0
                        : get("/feedback").at("/versions/0/live/accuracy").asDouble() * before);
        JsonNode reply = predict(1, 2, 3);
        StringBuilder labels = new StringBuilder();
        int right = 0;
        for (int i = 0; i < 3; i++) {
            float[] probabilities =
                    Softmax.probabilities(LeNet.logits(VERSION, LeNet.normalized(LeNet.image(i + 1)), 1));
            int best = 0;
            for (int k = 1; k < probabilities.length; k++) {
                best = probabilities[k] > probabilities[best] ? k : best;
            }
            // Label 5 for all three: right where the network says 5, and for the first whatever it says.
            int label = i == 0 ? best : 5;
            right += label == best ? 1 : 0;
            labels.append(i == 0 ? "" : ",").append(label);
        }

        JsonNode taken =
                post("/feedback", "{\"answer\":%s,\"labels\":[%s]}".formatted(reply.get("answer"), labels), 200);

        assertThat(taken.get("counted").asInt()).isEqualTo(3);
        assertThat(taken.get("repeated").asInt()).isZero();
        JsonNode live = get("/feedback").get("versions").get(0);
        assertThat(live.get("version").asLong()).isEqualTo(3);
        assertThat(live.at("/live/samples").asLong()).isEqualTo(before + 3);
        double accuracy = (double) (rightBefore + right) / (double) (before + 3);
        assertThat(live.at("/live/accuracy").asDouble()).isEqualTo(accuracy);
        assertThat(live.at("/live/low").asDouble()).isLessThan(accuracy);
        assertThat(get("/policy").at("/held/0/live")).isEqualTo(live.get("live"));
        assertThat(new String(CONTRACT.send(service.get("/actuator/prometheus")).body(), StandardCharsets.UTF_8))
                .contains("inference_feedback_total " + (double) (before + 3))
                .contains("inference_live_accuracy " + accuracy);
    }

    /** On the fast path, on the slow path and with the Open Inference Protocol. */
    @Test
    void shouldCollectWhatWasAskedWithItsLabel() throws IOException {
        Path collected = folder.resolve("collected");
        String image = LeNet.json(LeNet.image(7));
        JsonNode fast = post("/predict", "{\"image\":%s}".formatted(image), 200);
        JsonNode slow = post("/predict?invert=true", "{\"image\":%s}".formatted(image), 200);

        post(
                "/feedback",
                "{\"feedback\":[{\"answer\":%s,\"label\":3},{\"answer\":%s,\"label\":4}]}"
                        .formatted(fast.get("answer"), slow.get("answer")),
                200);

        Path file = await().atMost(Duration.ofSeconds(60)).until(() -> first(collected), path -> path != null);
        ImageSamples samples = ShardArchive.read(file).images();
        assertThat(samples.labels().toArray()).endsWith(3, 4);
        byte[] pixels = samples.slice(samples.count() - 2, samples.count()).images();
        assertThat(Byte.toUnsignedInt(pixels[100]) + Byte.toUnsignedInt(pixels[784 + 100]))
                .isEqualTo(255);
        assertThat(new String(CONTRACT.send(service.get("/actuator/prometheus")).body(), StandardCharsets.UTF_8))
                .contains("inference_learning_collected_total ")
                .contains("inference_learning_dropped_total{reason=\"room\"}");
    }

    private static @Nullable Path first(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".tar.gz"))
                    .max(Comparator.naturalOrder())
                    .orElse(null);
        }
    }

    private static long live(String member) {
        return get("/feedback").at("/versions/0/live/" + member).asLong(0);
    }

    /** Both paths of /predict, a client's retry, and the Open Inference Protocol. */
    @Test
    void shouldCountEachAnswerOnce() {
        String image = LeNet.json(LeNet.image(9));
        for (String path : new String[] {"/predict", "/predict?invert=false"}) {
            String answer = post(path, "{\"image\":%s}".formatted(image), 200)
                    .get("answer")
                    .asString();
            String body = "{\"answer\":\"%s\",\"label\":\"7\"}".formatted(answer);
            assertThat(post("/feedback", body, 200).get("counted").asInt()).isEqualTo(1);
            JsonNode again = post("/feedback", body.replace("\"7\"", "2"), 200);
            assertThat(again.get("counted").asInt()).isZero();
            assertThat(again.get("repeated").asInt()).isEqualTo(1);
        }
        JsonNode inferred = post(
                "/v2/models/fleetgrad/infer",
                "{\"id\":\"mine\",\"inputs\":[{\"name\":\"input\",\"datatype\":\"UINT8\",\"shape\":[1,1,28,28],\"data\":%s}]}"
                        .formatted(image),
                200);
        assertThat(inferred.get("id").asString()).isEqualTo("mine");
        String body = "{\"feedback\":[{\"answer\":%1$s,\"label\":0},{\"answer\":%1$s,\"label\":0}]}"
                .formatted(inferred.at("/parameters/answer"));
        assertThat(post("/feedback", body, 200).get("counted").asInt()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "404 | {\"answer\":\"AAAAB3Yp0kFkY3lqk2sT\",\"label\":7} | this service gave no answer 'AAAAB3Yp0kFkY3lqk2sT' | unknown-answer",
                "404 | {\"answer\":\"cmpl-1\",\"label\":7} | completions take no feedback | unknown-answer",
                "422 | {\"answer\":\"ANSWER\",\"label\":10} | a number of a class is from 0 to 9; it is 10.0 | unfit-label",
                "422 | {\"answer\":\"ANSWER\",\"label\":1e400} | a number of a class is from 0 to 9; it is Infinity | unfit-label",
                "422 | {\"answer\":\"ANSWER\",\"label\":\"ten\"} | there is no class 'ten'; the 10 classes are [0, 1, | unfit-label",
                "422 | {\"answer\":\"ANSWER\",\"labels\":[1,2]} | has 1 prediction; 2 labels came | unfit-label",
                "400 | {\"answer\":\"ANSWER\"} | either 'label' or 'labels' | malformed",
                "400 | {\"answer\":\"ANSWER\",\"label\":NaN} | the body is not JSON | malformed"
            })
    void shouldSayWhatIsWrongAndCountNothing(int status, String body, String detail, String rule) {
        String answer = predict(4).get("answer").asString();
        long before = get("/feedback").get("counted").asLong();

        JsonNode problem = post("/feedback", body.replace("ANSWER", answer), status);

        assertThat(problem.get("type").asString()).isEqualTo("urn:fleetgrad:problem:" + rule);
        assertThat(problem.get("detail").asString()).contains(detail);
        assertThat(get("/feedback").get("counted").asLong()).isEqualTo(before);
    }

    @Test
    void shouldRefuseABodyOfMoreBytesThanAPredictionMayHave() {
        JsonNode problem = post("/feedback", "{\"answer\":\"%s\",\"label\":1}".formatted("a".repeat(1 << 20)), 413);

        assertThat(problem.get("type").asString()).isEqualTo("urn:fleetgrad:problem:too-large");
    }
}
