package org.fleetgrad.networks;

import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A question about a series: channels, each with a value at every place, such as a time or a frequency.
 *
 * @param channels values at a place
 * @param length   places
 * @param question what is predicted
 */
public record SeriesTask(int channels, int length, Question question) implements RowTask {

    /** Most values of a series. */
    public static final int MOST_VALUES = 1 << 20;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a series has no value, or too many
     */
    public SeriesTask {
        if (channels < 1 || length < 1 || (long) channels * length > MOST_VALUES) {
            throw new IllegalArgumentException(
                    "a series has 1 to %d values; it has %d channels of %d".formatted(MOST_VALUES, channels, length));
        }
    }

    @Override
    public List<Integer> input() {
        return List.of(channels, length);
    }

    @Override
    public String samples() {
        return "series of " + input();
    }

    @Override
    public SortedMap<String, String> arguments() {
        SortedMap<String, String> all = new TreeMap<>(question.arguments());
        all.put(NetworkName.INPUT, NetworkName.shape(input()));
        return all;
    }

    @Override
    public Set<String> keys() {
        return Set.of(NetworkName.INPUT, NetworkName.CLASSES, NetworkName.LOSS);
    }

    @Override
    public SeriesTask stated(NetworkName name) {
        List<Integer> shape = name.series();
        return new SeriesTask(shape.get(0), shape.get(1), Question.stated(name));
    }

    @Override
    public String toString() {
        return described();
    }
}
