package org.fleetgrad.runs;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.fleetgrad.client.ServiceToken;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.ImageSchema;
import org.fleetgrad.runs.output.Figures;
import org.fleetgrad.runs.output.ImageText;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.shards.PreparedDataset;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sends a held-out image to the live model and shows the image and the response. */
final class HeldOutQuestion {

    private final URI inference;
    private final Optional<ServiceToken> token;
    private final RunOutput output;
    private final JsonMapper json = JsonMapper.builder().build();

    HeldOutQuestion(URI inference, Optional<ServiceToken> token, RunOutput output) {
        this.inference = inference;
        this.token = token;
        this.output = output;
    }

    /** Sends one of the held-out images; {@code seed} selects it. Of a text, nothing is asked. */
    void ask(PreparedDataset dataset, long seed) throws IOException, InterruptedException {
        if (!(dataset.test() instanceof ImageSamples samples)) {
            return;
        }
        int index = new Random(seed).nextInt(samples.count());
        HttpRequest.Builder request = HttpRequest.newBuilder(inference.resolve("/predict"))
                .timeout(Duration.ofSeconds(10))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body(samples, index)));
        if (token.isPresent()) {
            token.get().authorization().ifPresent(value -> request.header("Authorization", value));
        }
        HttpResponse<String> response =
                HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException("/predict answered %d: %s".formatted(response.statusCode(), response.body()));
        }
        show(dataset, samples, index, json.readTree(response.body()));
    }

    private String body(ImageSamples samples, int index) {
        int[] pixels = IntStream.range(0, samples.imageBytes())
                .map(i -> Byte.toUnsignedInt(samples.images()[index * samples.imageBytes() + i]))
                .toArray();
        return json.writeValueAsString(Map.of("image", pixels));
    }

    private void show(PreparedDataset dataset, ImageSamples samples, int index, JsonNode answer) {
        JsonNode prediction = answer.path("predictions").path(0);
        int taken = prediction.path("class").asInt();
        output.tell("");
        output.tell(ImageText.of(samples, index));
        output.tell("");
        output.tell("test image %d is a %s; the live model says %s (%s sure, version %,d, accuracy %s)"
                .formatted(
                        index,
                        ((ImageSchema) dataset.schema()).classes().get(samples.label(index)),
                        prediction.path("label").asString(""),
                        Figures.percent(
                                prediction.path("probabilities").path(taken).asDouble()),
                        answer.path("version").asLong(),
                        Figures.percent(
                                answer.has("accuracy")
                                        ? (Double) answer.path("accuracy").asDouble()
                                        : null)));
    }
}
