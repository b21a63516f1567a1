package org.fleetgrad.serving;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.protocol.ParameterVersion;

/**
 * Computes the images of several requests with one version: normalizes them as that version was trained, joins them into one
 * batch, and splits the logits again.
 *
 * @param memoryBytes memory that images may take while the network computes; more images take several passes
 */
public record ForwardPass(long memoryBytes) {

    /**
     * Checks that at least one image fits the memory.
     *
     * @throws IllegalArgumentException if it does not; the message has both numbers
     */
    public void requireMemory(ServedNetwork network) {
        // A parameter set of 1 MB can name a network whose images take gigabytes.
        if (network.sampleBytes() > memoryBytes) {
            throw new IllegalArgumentException(
                    "the network %s takes %d bytes to predict one image; inference.prediction-memory allows %d"
                            .formatted(network.name(), network.sampleBytes(), memoryBytes));
        }
    }

    /** Computes one request with a classifier that only the caller uses, and that has loaded the version. */
    public PredictionResult run(
            Classifier classifier,
            ServedNetwork network,
            ParameterVersion version,
            ModelDescription description,
            Images request) {
        return run(classifier, network, new Replica.Loaded(version, description, 0), List.of(request))
                .get(0);
    }

    List<PredictionResult> run(
            Classifier classifier, ServedNetwork network, Replica.Loaded loaded, List<Images> requests) {
        int total = requests.stream().mapToInt(Images::count).sum();
        float[] logits = logits(classifier, network, loaded.description(), requests, total);
        int outputs = logits.length / total;
        List<PredictionResult> answers = new ArrayList<>(requests.size());
        int from = 0;
        for (Images request : requests) {
            int to = from + request.count();
            answers.add(new PredictionResult(
                    loaded.version(),
                    network,
                    loaded.description(),
                    request.count(),
                    Arrays.copyOfRange(logits, from * outputs, to * outputs),
                    request.unknown()));
            from = to;
        }
        return answers;
    }

    private float[] logits(
            Classifier classifier,
            ServedNetwork network,
            ModelDescription description,
            List<Images> requests,
            int total) {
        int most = (int) Math.min(total, memoryBytes / network.sampleBytes());
        float[] all = new float[total * network.outputs()];
        for (int from = 0; from < total; from += most) {
            int count = Math.min(total - from, most);
            float[] batch = joined(network.shape(), requests, from, count);
            if (network.task() instanceof ImageClassification) {
                description.normalize(batch, network.shape());
            }
            float[] part = classifier.logits(batch, count);
            System.arraycopy(part, 0, all, from * network.outputs(), part.length);
        }
        return all;
    }

    /** Joins {@code count} images, beginning with image {@code from} of all requests. */
    private static float[] joined(ImageShape shape, List<Images> requests, int from, int count) {
        int values = shape.values();
        float[] batch = new float[count * values];
        int at = 0;
        int first = 0;
        for (Images request : requests) {
            int begin = Math.max(from, first);
            int end = Math.min(from + count, first + request.count());
            if (begin < end) {
                int length = (end - begin) * values;
                System.arraycopy(request.pixels(), (begin - first) * values, batch, at, length);
                at += length;
            }
            first += request.count();
        }
        return batch;
    }
}
