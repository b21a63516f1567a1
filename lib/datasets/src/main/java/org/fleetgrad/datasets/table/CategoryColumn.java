package org.fleetgrad.datasets.table;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.fleetgrad.files.text.Printable;

/**
 * A column of words. Up to 8 different ones are a number each, of which one is 1 and the others are 0; all are 0 if the value is missing
 * or none of them. Of more, a value is one index for an embedding: 0 if it is missing or none of them, else 1 and its place among them.
 *
 * @param name   of the column
 * @param values the different ones, sorted
 */
public record CategoryColumn(String name, List<String> values) implements TableColumn {

    /** Most values that are a number each. */
    public static final int MOST_ONE_HOT = 8;

    /** Most values of a column. */
    public static final int MOST_VALUES = 1 << 16;

    /** Most characters of a value; a longer one in a file is as if it were unknown. */
    public static final int MOST_CHARACTERS = 256;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if they are none, too many, too long, not sorted, or one is there twice
     */
    public CategoryColumn {
        TableColumn.requireName(name);
        values = List.copyOf(values);
        if (values.isEmpty() || values.size() > MOST_VALUES) {
            throw new IllegalArgumentException("the column '%s' must have 1 to %d different values; it has %d"
                    .formatted(name, MOST_VALUES, values.size()));
        }
        for (int i = 0; i < values.size(); i++) {
            String value = values.get(i);
            if (FieldValue.isMissing(value) || value.length() > MOST_CHARACTERS) {
                throw new IllegalArgumentException(
                        "value %d of the column '%s' must have 1 to %d characters and not say that it is missing; it is '%s'"
                                .formatted(i, name, MOST_CHARACTERS, Printable.text(value)));
            }
            if (i > 0 && values.get(i - 1).compareTo(value) >= 0) {
                throw new IllegalArgumentException("the values of the column '%s' must be sorted; '%s' is before '%s'"
                        .formatted(name, Printable.text(values.get(i - 1)), Printable.text(value)));
            }
        }
    }

    /** Returns the place of a value among the column's, or a negative number if it is none of them. */
    int place(String value) {
        return Collections.binarySearch(values, value);
    }

    /** Returns how the column spells {@code true} or {@code false}: as JSON does, as pandas does ({@code True}), or in capitals. */
    String spelled(boolean value) {
        String json = Boolean.toString(value);
        return Stream.of(json, value ? "True" : "False", json.toUpperCase(Locale.ROOT))
                .filter(word -> place(word) >= 0)
                .findFirst()
                .orElse(json);
    }

    @Override
    public boolean isEmbedded() {
        return values.size() > MOST_ONE_HOT;
    }

    @Override
    public int width() {
        return isEmbedded() ? 1 : values.size();
    }

    /** Returns the number of indices: one for each value, and one for what is none of them. */
    public int indices() {
        return values.size() + 1;
    }

    @Override
    public void encode(String value, float[] row, int at) {
        encode(place(value), row, at);
    }

    /** Writes the value of a place; a negative one is none. */
    void encode(int place, float[] row, int at) {
        if (isEmbedded()) {
            row[at] = Math.max(0, place + 1);
            return;
        }
        Arrays.fill(row, at, at + values.size(), 0);
        if (place >= 0) {
            row[at + place] = 1;
        }
    }
}
