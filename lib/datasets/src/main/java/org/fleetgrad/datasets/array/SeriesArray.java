package org.fleetgrad.datasets.array;

import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.SeriesSchema.Channel;
import org.fleetgrad.datasets.TableSamples;
import org.fleetgrad.datasets.table.Moments;

/**
 * An array of inputs: [samples, length], or [samples, channels, length].
 *
 * @param array    in its file
 * @param samples  first side
 * @param channels second side of three; 1 of two
 * @param length   last side
 */
record SeriesArray(NpyArray array, int samples, int channels, int length) {

    /** Most samples. Their targets take 8 bytes each while they are read. */
    static final int MOST_SAMPLES = 1 << 24;

    /**
     * Takes an array.
     *
     * @throws InvalidDatasetException if it has another shape, nothing in it, or too much
     */
    static SeriesArray of(NpyArray array) throws InvalidDatasetException {
        List<Long> shape = array.shape();
        if (shape.size() < 2 || shape.size() > 3) {
            throw array.invalid(
                    "its shape is %s; inputs must be [samples, length] or [samples, channels, length]: bring them to it, such as x.reshape(len(x), channels, -1)"
                            .formatted(shape));
        }
        if (shape.contains(0L)) {
            throw array.invalid("its shape is %s; there is no value".formatted(shape));
        }
        long count = array.header().count();
        if (shape.get(0) > MOST_SAMPLES || count > TableSamples.MOST_VALUES) {
            throw array.invalid("its shape %s has %,d values of %,d samples; the most is %,d values of %,d samples"
                    .formatted(shape, count, shape.get(0), TableSamples.MOST_VALUES, MOST_SAMPLES));
        }
        return new SeriesArray(
                array,
                shape.get(0).intValue(),
                shape.size() == 3 ? shape.get(1).intValue() : 1,
                shape.get(shape.size() - 1).intValue());
    }

    /** Returns the number of values of a sample. */
    int width() {
        return channels * length;
    }

    private void read(NpyArray.Elements elements) throws IOException {
        array.read(samples, List.of(channels, length), elements);
    }

    /**
     * Measures the channels of the training samples, and checks all values.
     *
     * @param isTraining whether a sample is trained on
     * @throws InvalidDatasetException if a value is not finite
     */
    List<Channel> measured(boolean[] isTraining) throws IOException {
        Moments[] moments =
                IntStream.range(0, channels).mapToObj(i -> new Moments()).toArray(Moments[]::new);
        read((sample, place, value) -> {
            if (!Double.isFinite(value)) {
                throw array.invalid(
                        sample,
                        place,
                        "is %s; inputs must be finite: fill the gap, or leave the sample out".formatted(value));
            }
            if (isTraining[sample]) {
                moments[place / length].add(value);
            }
        });
        return IntStream.range(0, channels)
                .mapToObj(i -> new Channel(moments[i].mean(), moments[i].std()))
                .toList();
    }

    /**
     * Reads the standardized values.
     *
     * @param measured channels, by which they are standardized
     * @param places   of each sample in {@code first}; or, if it is below 0, the complement of its place in {@code second}
     * @throws InvalidDatasetException if a value is not finite, or too far from the mean of its channel
     */
    void read(List<Channel> measured, int[] places, float[] first, float[] second) throws IOException {
        Channel[] all = measured.toArray(Channel[]::new);
        int width = width();
        read((sample, place, value) -> {
            float standardized = all[place / length].standardized(value);
            if (!Float.isFinite(standardized)) {
                throw array.invalid(
                        sample,
                        place,
                        Double.isFinite(value)
                                ? "is %s, too far from the mean %s and the standard deviation %s of its channel"
                                        .formatted(value, all[place / length].mean(), all[place / length].std())
                                : "is %s; inputs must be finite: fill the gap, or leave the sample out"
                                        .formatted(value));
            }
            int to = places[sample];
            if (to >= 0) {
                first[to * width + place] = standardized;
            } else {
                second[~to * width + place] = standardized;
            }
        });
    }
}
