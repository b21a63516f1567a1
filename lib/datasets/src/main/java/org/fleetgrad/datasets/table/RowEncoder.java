package org.fleetgrad.datasets.table;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.files.text.Printable;
import org.jspecify.annotations.Nullable;

/** Encodes rows of a table that are given by the names of their columns. Thread-safe. */
public final class RowEncoder {

    private final List<TableColumn> columns;
    private final String target;
    private final int[] places;
    private final Map<String, Integer> indices = new HashMap<>();

    /** Makes an encoder of rows of {@code schema}. */
    public RowEncoder(TableSchema schema) {
        this.columns = schema.columns();
        this.target = schema.target().name();
        this.places = schema.places();
        for (int i = 0; i < places.length; i++) {
            indices.put(columns.get(i).name(), i);
        }
    }

    /**
     * Encodes a row. A column that is not named is missing. True and false are the words {@code True} or {@code TRUE} of a column
     * that has these.
     *
     * @param values texts, numbers, or nodes of JSON with one of these, by the names of their columns; null is missing
     * @param rows    gets as many numbers as a row has, from {@code at} on
     * @param unknown gets each category that its column does not have, as printable text; it is encoded as in {@link CategoryColumn}
     * @throws IllegalArgumentException if there is no such column, or a value is not of its column's kind; the message has the columns
     */
    public void encode(
            Iterable<? extends Map.Entry<String, ?>> values,
            float[] rows,
            int at,
            BiConsumer<CategoryColumn, String> unknown) {
        String[] texts = new String[places.length];
        Arrays.fill(texts, "");
        for (Map.Entry<String, ?> value : values) {
            int index = index(value.getKey());
            texts[index] = text(columns.get(index), value.getValue());
        }
        for (int i = 0; i < texts.length; i++) {
            columns.get(i).encode(texts[i], rows, at + places[i]);
            if (columns.get(i) instanceof CategoryColumn words
                    && !FieldValue.isMissing(texts[i])
                    && !words.knows(texts[i])) {
                unknown.accept(words, Printable.text(texts[i]));
            }
        }
    }

    private static String text(TableColumn column, @Nullable Object value) {
        Optional<Boolean> truth = RowValue.truth(value);
        return truth.isPresent() && column instanceof CategoryColumn words
                ? words.spelled(truth.get())
                : RowValue.text(column.name(), value);
    }

    private int index(String name) {
        Integer index = indices.get(name);
        if (index == null) {
            throw new IllegalArgumentException("there is no column '%s'%s; the %d columns are %s"
                    .formatted(
                            Printable.text(name),
                            name.equals(target) ? " to predict from, it is the target" : "",
                            columns.size(),
                            Printable.text(
                                    columns.stream().map(TableColumn::name).collect(Collectors.joining(", ")))));
        }
        return index;
    }
}
