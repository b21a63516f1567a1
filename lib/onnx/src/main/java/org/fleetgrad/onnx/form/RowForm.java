package org.fleetgrad.onnx.form;

import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.table.CategoryColumn;
import org.fleetgrad.datasets.table.DateColumn;
import org.fleetgrad.datasets.table.NumberColumn;
import org.fleetgrad.datasets.table.TableColumn;
import org.fleetgrad.onnx.file.Attributes;
import org.fleetgrad.onnx.file.OnnxGraph;
import org.fleetgrad.onnx.file.ValueInfo;

/**
 * Rows of a table by their columns: an input for each, with the values as people have them.
 *
 * @param schema of the table
 */
public record RowForm(TableSchema schema) implements SampleForm {

    @Override
    public List<ValueInfo> inputs() {
        return schema.columns().stream()
                .map(RowForm::input)
                .map(ColumnInput::info)
                .toList();
    }

    private static ColumnInput input(TableColumn column) {
        // Java 17 has no switch over types.
        if (column instanceof NumberColumn number) {
            return new NumberInput(number);
        } else if (column instanceof CategoryColumn category) {
            return new CategoryInput(category);
        }
        return new DateInput((DateColumn) column);
    }

    @Override
    public String add(OnnxGraph graph) {
        List<String> inputs = new ArrayList<>();
        inputs().forEach(info -> inputs.add(graph.input(info)));
        List<String> plain = new ArrayList<>();
        List<String> embedded = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            TableColumn column = schema.columns().get(i);
            (column.isEmbedded() ? embedded : plain).addAll(input(column).add(graph, inputs.get(i)));
        }
        plain.addAll(embedded);
        return graph.add("Concat", Attributes.none().with("axis", 1L), plain.toArray(String[]::new));
    }

    @Override
    public List<Object> values(float[] samples, int count) {
        int[] places = schema.places();
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < places.length; i++) {
            values.add(input(schema.columns().get(i)).values(new Rows(samples, count, schema.width(), places[i])));
        }
        return values;
    }

    @Override
    public String description() {
        return "It takes rows of a table, one input for each column: numbers (NaN if one is missing), categories as texts"
                + " (empty if one is missing), dates as seconds since 1970-01-01 (the least int64 if one is missing).";
    }

    /**
     * The values of one column in encoded rows.
     *
     * @param values of all rows
     * @param width  of a row
     * @param place  of the column's first value in a row
     */
    record Rows(float[] values, int count, int width, int place) {

        float get(int row, int further) {
            return values[row * width + place + further];
        }
    }

    /** A column as an input of a model. */
    sealed interface ColumnInput permits CategoryInput, DateInput, NumberInput {

        /** The name of a side that is one value of a row. */
        List<String> SHAPE = List.of(SAMPLES);

        ValueInfo info();

        /** Adds the nodes that encode it; returns values of [samples, some], to be joined. */
        List<String> add(OnnxGraph graph, String input);

        /** Returns what is encoded so. */
        Object values(Rows rows);

        /** Makes a column of a value of each row. */
        static String column(OnnxGraph graph, String x) {
            return graph.add("Unsqueeze", Attributes.none(), x, graph.integers(1));
        }
    }
}
