package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.fleetgrad.protocol.ParameterVersion;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks an inference API about one image, again and again, over one connection that is kept: for probabilities at {@code /predict},
 * or for logits by the Open Inference Protocol. One thread asks; others may look.
 */
final class AskingClient {

    private static final JsonMapper JSON = JsonMapper.shared();

    private final int image;
    private final boolean isLogits;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final HttpRequest question;
    private final HttpRequest status;
    private final Map<ParameterVersion, Set<List<Float>>> answers = new ConcurrentHashMap<>();
    private final AtomicLong answered = new AtomicLong();
    private final List<String> failures = new CopyOnWriteArrayList<>();

    /** Makes the client with a number; every other one asks for logits. */
    AskingClient(URI inference, int number) {
        this.image = number % PushedModel.IMAGES;
        this.isLogits = number % 2 == 1;
        String pixels = Arrays.toString(PushedModel.pixels(image));
        this.question = isLogits
                ? post(
                        inference.resolve("/v2/models/fleetgrad/infer"),
                        "{\"inputs\":[{\"name\":\"input\",\"datatype\":\"UINT8\",\"shape\":[1,1,28,28],\"data\":%s}],\"outputs\":[{\"name\":\"logits\"}]}"
                                .formatted(pixels))
                : post(inference.resolve("/predict"), "{\"image\":%s}".formatted(pixels));
        this.status = HttpRequest.newBuilder(inference.resolve("/status")).GET().build();
    }

    private static HttpRequest post(URI address, String body) {
        return HttpRequest.newBuilder(address)
                .header("Content-Type", "application/json")
                .timeout(Duration.ofMinutes(1))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    /** Asks the service that has the connection for its state. */
    JsonNode status() throws IOException, InterruptedException {
        return JSON.readTree(
                http.send(status, HttpResponse.BodyHandlers.ofString()).body());
    }

    /** Asks once, and notes the answer, or the failure. */
    void ask() throws InterruptedException {
        try {
            HttpResponse<String> response = http.send(question, HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() == 200) {
                note(JSON.readTree(response.body()));
            } else {
                failures.add("%d %s".formatted(response.statusCode(), response.body()));
            }
        } catch (IOException failed) {
            failures.add(failed.toString());
        }
    }

    private void note(JsonNode answer) {
        JsonNode named = isLogits ? answer.get("parameters") : answer;
        ParameterVersion version = new ParameterVersion(
                named.get("generation").asString(), named.get("version").asLong());
        JsonNode values = isLogits
                ? answer.get("outputs").get(0).get("data")
                : answer.get("predictions").get(0).get("probabilities");
        answers.computeIfAbsent(version, unseen -> ConcurrentHashMap.newKeySet())
                .add(values.valueStream().map(value -> (float) value.asDouble()).toList());
        answered.incrementAndGet();
    }

    long answered() {
        return answered.get();
    }

    boolean hasSeen(ParameterVersion version) {
        return answers.containsKey(version);
    }

    List<String> failures() {
        return List.copyOf(failures);
    }

    /** Holds every answer to the bits of the version that it names. */
    void assertAnswers(PushedModel model) {
        answers.forEach((version, seen) -> assertThat(seen)
                .as("what version %s answered", version)
                .containsExactly(isLogits ? model.logits(version, image) : model.probabilities(version, image)));
    }
}
