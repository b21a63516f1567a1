package org.fleetgrad.datasets;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.fleetgrad.datasets.augment.ImageChanges;

/**
 * Mean and standard deviation of each channel, over pixels scaled to [0, 1], and the scaling by them:
 *
 * <pre>
 *   value = (pixel / 255 - mean[channel]) / std[channel]
 * </pre>
 *
 * in the float32 operations, and their order, of torchvision's {@code ToTensor} and {@code Normalize}: both give the same
 * bits. A table of 256 values for each channel reduces the work to one lookup per pixel. Immutable and thread-safe.
 */
public final class Normalization {

    private static final int LEVELS = 256;
    private static final double WHITE = LEVELS - 1;

    private final List<Float> mean;
    private final List<Float> std;
    private final float[][] tables;

    /**
     * Takes the values, one mean and one standard deviation for each channel.
     *
     * @throws IllegalArgumentException if there is no channel, or the counts differ, or a value is not finite, or a
     *     standard deviation is not positive
     */
    public Normalization(List<Float> mean, List<Float> std) {
        if (mean.isEmpty() || mean.size() != std.size()) {
            throw new IllegalArgumentException(
                    "a normalization needs a mean and a std for each channel; it has %d means and %d stds"
                            .formatted(mean.size(), std.size()));
        }
        this.mean = List.copyOf(mean);
        this.std = List.copyOf(std);
        this.tables = new float[mean.size()][];
        for (int channel = 0; channel < tables.length; channel++) {
            tables[channel] = table(channel, mean.get(channel), std.get(channel));
        }
    }

    private static float[] table(int channel, float mean, float std) {
        if (!Float.isFinite(mean) || !Float.isFinite(std) || std <= 0) {
            throw new IllegalArgumentException(
                    "channel %d: the mean must be finite and the std finite and positive; they are %s and %s"
                            .formatted(channel, mean, std));
        }
        float[] table = new float[LEVELS];
        for (int pixel = 0; pixel < LEVELS; pixel++) {
            table[pixel] = (pixel / (float) WHITE - mean) / std;
        }
        return table;
    }

    /**
     * Measures the samples exactly: integer sums over a histogram of each channel. The standard deviation is that of
     * the population; a channel whose pixels are all equal gets 1, so that it normalizes to zeros.
     *
     * @throws IllegalArgumentException if there is no sample
     */
    public static Normalization of(ImageSamples samples) {
        if (samples.count() == 0) {
            throw new IllegalArgumentException("a normalization needs at least 1 sample; there are 0");
        }
        List<Float> mean = new ArrayList<>();
        List<Float> std = new ArrayList<>();
        for (long[] histogram : histograms(samples)) {
            long count = 0;
            long sum = 0;
            long squares = 0;
            for (int pixel = 0; pixel < LEVELS; pixel++) {
                count += histogram[pixel];
                sum += histogram[pixel] * pixel;
                squares += histogram[pixel] * pixel * pixel;
            }
            double centre = (double) sum / count;
            double variance = Math.max(0, (double) squares / count - centre * centre);
            mean.add((float) (centre / WHITE));
            std.add(variance == 0 ? 1f : (float) (Math.sqrt(variance) / WHITE));
        }
        return new Normalization(mean, std);
    }

    private static long[][] histograms(ImageSamples samples) {
        long[][] histograms = new long[samples.channels()][LEVELS];
        int plane = samples.height() * samples.width();
        byte[] images = samples.images();
        for (int begin = 0; begin < images.length; begin += plane) {
            long[] histogram = histograms[begin / plane % samples.channels()];
            for (int i = begin; i < begin + plane; i++) {
                histogram[images[i] & 0xff]++;
            }
        }
        return histograms;
    }

    /** Returns the mean of each channel. */
    public List<Float> mean() {
        return mean;
    }

    /** Returns the standard deviation of each channel. */
    public List<Float> std() {
        return std;
    }

    /** Writes one image, [channels, height, width], into {@code target} from {@code targetOffset} on. */
    public void normalize(ImageSamples samples, int index, float[] target, int targetOffset) {
        requireChannels(samples);
        Objects.checkIndex(index, samples.count());
        Objects.checkFromIndexSize(targetOffset, samples.imageBytes(), target.length);
        int plane = samples.height() * samples.width();
        byte[] images = samples.images();
        int from = index * samples.imageBytes();
        int to = targetOffset;
        for (float[] table : tables) {
            for (int i = 0; i < plane; i++) {
                target[to + i] = table[images[from + i] & 0xff];
            }
            from += plane;
            to += plane;
        }
    }

    /**
     * Writes the images of a batch, [indices.length, channels, height, width], to {@code target}, from its beginning.
     */
    public void normalize(ImageSamples samples, int[] indices, float[] target) {
        for (int i = 0; i < indices.length; i++) {
            normalize(samples, indices[i], target, i * samples.imageBytes());
        }
    }

    /**
     * Writes the images of a batch, augmented at random, to {@code target}, from its beginning. Each pixel is read from its
     * source position, so that no changed image is materialized.
     *
     * @param indices of the samples in their shard
     * @param changes of the shard's images in this epoch
     * @throws IllegalArgumentException if the images are too small for the augmentation
     */
    public void normalize(ImageSamples samples, int[] indices, float[] target, ImageChanges changes) {
        if (changes.isNone()) {
            normalize(samples, indices, target);
            return;
        }
        requireChannels(samples);
        changes.augmentation().requireFits(samples.height(), samples.width());
        Objects.checkFromIndexSize(0, indices.length * samples.imageBytes(), target.length);
        int[] rows = new int[samples.height()];
        int[] columns = new int[samples.width()];
        for (int i = 0; i < indices.length; i++) {
            int index = Objects.checkIndex(indices[i], samples.count());
            long draw = changes.draw(index);
            ImageChanges.places(rows, rows.length, ImageChanges.top(draw), false);
            ImageChanges.places(columns, columns.length, ImageChanges.left(draw), ImageChanges.isFlipped(draw));
            normalize(samples, index, rows, columns, target, i * samples.imageBytes());
        }
    }

    private void normalize(
            ImageSamples samples, int index, int[] rows, int[] columns, float[] target, int targetOffset) {
        byte[] images = samples.images();
        int plane = index * samples.imageBytes();
        int to = targetOffset;
        for (float[] table : tables) {
            for (int row : rows) {
                int from = plane + row * columns.length;
                for (int column : columns) {
                    target[to++] = table[images[from + column] & 0xff];
                }
            }
            plane += rows.length * columns.length;
        }
    }

    private void requireChannels(ImageSamples samples) {
        if (samples.channels() != tables.length) {
            throw new IllegalArgumentException(
                    "the normalization has %d channels, the images %d".formatted(tables.length, samples.channels()));
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Normalization that && mean.equals(that.mean) && std.equals(that.std);
    }

    @Override
    public int hashCode() {
        return Objects.hash(mean, std);
    }

    @Override
    public String toString() {
        return "Normalization[mean=%s, std=%s]".formatted(mean, std);
    }
}
