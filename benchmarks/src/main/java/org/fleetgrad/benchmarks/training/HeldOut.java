package org.fleetgrad.benchmarks.training;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.Normalization;

/** Held-out images, normalized as in training: [count, channels, height, width], flat. */
public record HeldOut(float[] images, int[] labels) {

    /** Normalizes the first {@code count} samples, or all if there are fewer. */
    public static HeldOut of(ImageSamples samples, Normalization normalization, int count) {
        int[] indices = IntStream.range(0, Math.min(count, samples.count())).toArray();
        float[] images = new float[indices.length * samples.imageBytes()];
        normalization.normalize(samples, indices, images);
        return new HeldOut(images, Arrays.stream(indices).map(samples::label).toArray());
    }

    public int count() {
        return labels.length;
    }

    /** Returns {@code count} images, beginning with image {@code from}. */
    public HeldOut part(int from, int count) {
        int values = images.length / labels.length;
        return new HeldOut(
                Arrays.copyOfRange(images, from * values, (from + count) * values),
                Arrays.copyOfRange(labels, from, from + count));
    }
}
