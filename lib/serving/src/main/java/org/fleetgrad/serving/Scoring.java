package org.fleetgrad.serving;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.fleetgrad.networks.Softmax;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.serving.Classification.Scores;

/**
 * Turns pixels into classes: normalizes, computes, and takes the softmax.
 *
 * @param network     whose images they are
 * @param model       normalization, and the names of the classes
 * @param memoryBytes memory that images may take while the network computes; more images take several passes
 */
public record Scoring(ServedNetwork network, ModelDescription model, long memoryBytes) {

    /** Computes logits, as {@link Classifier#logits}. */
    @FunctionalInterface
    public interface Forward {
        /** Computes [count, classes] of [count, channels, height, width]. */
        float[] logits(float[] images, int count);
    }

    /**
     * Classifies images.
     *
     * @param version that {@code forward} computes with
     * @param pixels  [count, channels, height, width], each 0..255; overwritten
     */
    public Classification classify(ParameterVersion version, Forward forward, float[] pixels, int count) {
        model.normalize(pixels, network.shape());
        int values = network.shape().values();
        int most = (int) Math.max(1, Math.min(count, memoryBytes / network.imageBytes()));
        List<Scores> images = new ArrayList<>(count);
        for (int from = 0; from < count; from += most) {
            int to = Math.min(count, from + most);
            float[] part = to - from == count ? pixels : Arrays.copyOfRange(pixels, from * values, to * values);
            float[] logits = forward.logits(part, to - from);
            int classes = logits.length / (to - from);
            for (int i = 0; i < to - from; i++) {
                float[] ofImage = Arrays.copyOfRange(logits, i * classes, (i + 1) * classes);
                images.add(scores(ofImage, model.classes()));
            }
        }
        return new Classification(version, images);
    }

    private static Scores scores(float[] logits, List<String> classes) {
        float[] probabilities = Softmax.probabilities(logits);
        int best = 0;
        for (int i = 1; i < probabilities.length; i++) {
            if (probabilities[i] > probabilities[best]) {
                best = i;
            }
        }
        List<Float> list = IntStream.range(0, probabilities.length)
                .mapToObj(i -> probabilities[i])
                .toList();
        return new Scores(classes.get(best), best, list);
    }
}
