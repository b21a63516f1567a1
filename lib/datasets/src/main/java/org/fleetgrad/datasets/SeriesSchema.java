package org.fleetgrad.datasets;

import java.util.List;
import java.util.Map;
import org.fleetgrad.datasets.array.SeriesJson;
import org.fleetgrad.datasets.table.TableTarget;
import org.fleetgrad.networks.SeriesTask;
import org.fleetgrad.protocol.MetadataKeys;

/**
 * Series: a target is predicted from channels, each with a value at every place. A sample is float32: the standardized values of the
 * first channel, then those of the second, and so on.
 *
 * @param length   places
 * @param channels how the values of each are standardized
 * @param target   what is predicted
 */
public record SeriesSchema(int length, List<Channel> channels, TableTarget target) implements RowSchema {

    /** Most channels: parameter sets state the mean of each. */
    public static final int MOST_CHANNELS = 4096;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if there are too many channels, or a series has no value, or too many
     */
    public SeriesSchema {
        channels = List.copyOf(channels);
        if (channels.isEmpty() || channels.size() > MOST_CHANNELS) {
            throw new IllegalArgumentException(
                    "a series must have 1 to %,d channels; it has %,d of %,d values: the channels are the second dimension of [samples, channels, length]"
                            .formatted(MOST_CHANNELS, channels.size(), length));
        }
        if (length < 1 || (long) length * channels.size() > SeriesTask.MOST_VALUES) {
            throw new IllegalArgumentException("a series must have 1 to %,d values; it has %,d channels of %,d"
                    .formatted(SeriesTask.MOST_VALUES, channels.size(), length));
        }
    }

    /**
     * The values of a channel over all places of the training samples.
     *
     * @param mean of the values
     * @param std  standard deviation of the values; 1 if they are all alike
     */
    public record Channel(double mean, double std) {

        /**
         * Checks the values.
         *
         * @throws IllegalArgumentException if they are not finite or nothing can be divided by them
         */
        public Channel {
            if (!Double.isFinite(mean) || !Double.isFinite(std) || std <= 0) {
                throw new IllegalArgumentException(
                        "a channel must have a finite mean and a positive, finite standard deviation; they are %s and %s"
                                .formatted(mean, std));
            }
        }

        /** Returns how many standard deviations a value is above the mean; infinite or no number if it is too far from it. */
        public float standardized(double value) {
            return (float) ((value - mean) / std);
        }
    }

    @Override
    public int width() {
        return channels.size() * length;
    }

    @Override
    public SeriesTask task() {
        return new SeriesTask(channels.size(), length, question());
    }

    @Override
    public Map<String, String> metadata() {
        return metadata(MetadataKeys.SERIES, SeriesJson.write(this));
    }
}
