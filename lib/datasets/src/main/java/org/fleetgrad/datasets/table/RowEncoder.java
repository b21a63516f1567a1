package org.fleetgrad.datasets.table;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.files.text.Printable;
import org.jspecify.annotations.Nullable;

/** Encodes rows of a table that are given by the names of their columns. Thread-safe. */
public final class RowEncoder {

    private final List<TableColumn> columns;
    private final Set<String> targets;
    private final Optional<String> weight;
    private final int[] places;
    private final float[] missing;
    private final Map<String, Integer> indices = new HashMap<>();

    /** Makes an encoder of rows of {@code schema}. */
    public RowEncoder(TableSchema schema) {
        this.columns = schema.columns();
        this.targets =
                schema.target().columns().stream().map(TargetColumn::name).collect(Collectors.toUnmodifiableSet());
        this.weight = schema.weight();
        this.places = schema.places();
        this.missing = new float[schema.width()];
        for (int i = 0; i < places.length; i++) {
            indices.put(columns.get(i).name(), i);
            columns.get(i).encode("", missing, places[i]);
        }
    }

    /** Writes a row of which every value is missing, from {@code at} on: each row begins as this. */
    public void begin(float[] rows, int at) {
        System.arraycopy(missing, 0, rows, at, missing.length);
    }

    /**
     * Returns the column of a name.
     *
     * @throws IllegalArgumentException if there is none to predict from; the message has the columns
     */
    public TableColumn column(String name) {
        return columns.get(index(name));
    }

    /**
     * Writes a value into a row. True and false are the words {@code True} or {@code TRUE} of a column that has these.
     *
     * @param column  its name
     * @param value   a text, a number, true or false; null is missing
     * @param at      where in {@code rows} the row begins
     * @param unknown gets a category that the column does not have, as printable text; it is encoded as in {@link CategoryColumn}
     * @throws IllegalArgumentException if there is no such column, or the value is not of its kind; the message has the columns
     */
    public void put(
            String column, @Nullable Object value, float[] rows, int at, BiConsumer<CategoryColumn, String> unknown) {
        int index = index(column);
        TableColumn kind = columns.get(index);
        if (!(kind instanceof CategoryColumn words)) {
            kind.encode(RowValue.text(column, value), rows, at + places[index]);
            return;
        }
        Optional<Boolean> truth = RowValue.truth(value);
        String text = truth.isPresent() ? words.spelled(truth.get()) : RowValue.text(column, value);
        int place = words.place(text);
        words.encode(place, rows, at + places[index]);
        if (place < 0 && !FieldValue.isMissing(text)) {
            unknown.accept(words, Printable.text(text));
        }
    }

    private int index(String name) {
        Integer index = indices.get(name);
        if (index == null) {
            throw new IllegalArgumentException("there is no column '%s'%s; the %d columns are %s"
                    .formatted(
                            Printable.text(name),
                            targets.contains(name)
                                    ? " to predict from, it is the target"
                                    : weight.equals(Optional.of(name))
                                            ? " to predict from, it is the weight of a row"
                                            : "",
                            columns.size(),
                            Printable.text(
                                    columns.stream().map(TableColumn::name).collect(Collectors.joining(", ")))));
        }
        return index;
    }
}
