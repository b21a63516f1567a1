package org.fleetgrad.runs;

import java.io.IOException;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.ImageSchema;
import org.fleetgrad.runs.output.Figures;
import org.fleetgrad.runs.output.ImageText;
import org.fleetgrad.runs.output.RunOutput;
import org.fleetgrad.runs.shards.PreparedDataset;
import tools.jackson.databind.JsonNode;

/** Sends a held-out image to the live model at the end, and shows the image and the response. */
final class HeldOutQuestion implements Conversation {

    private final InferenceClient client;
    private final PreparedDataset dataset;
    private final long seed;
    private final RunOutput output;

    /** @param seed selects one of the held-out images */
    HeldOutQuestion(InferenceClient client, PreparedDataset dataset, long seed, RunOutput output) {
        this.client = client;
        this.dataset = dataset;
        this.seed = seed;
        this.output = output;
    }

    @Override
    public void end() throws IOException, InterruptedException {
        ImageSamples samples = (ImageSamples) dataset.test();
        int index = new Random(seed).nextInt(samples.count());
        int[] pixels = IntStream.range(0, samples.imageBytes())
                .map(i -> Byte.toUnsignedInt(samples.images()[index * samples.imageBytes() + i]))
                .toArray();
        show(samples, index, client.post("/predict", Map.of("image", pixels)));
    }

    private void show(ImageSamples samples, int index, JsonNode answer) {
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

    @Override
    public void close() {}
}
