package org.fleetgrad.onnx.form;

import java.util.List;
import java.util.stream.LongStream;
import org.fleetgrad.datasets.table.CategoryColumn;
import org.fleetgrad.onnx.file.Attributes;
import org.fleetgrad.onnx.file.ElementType;
import org.fleetgrad.onnx.file.OnnxGraph;
import org.fleetgrad.onnx.file.ValueInfo;
import org.fleetgrad.onnx.form.RowForm.ColumnInput;
import org.fleetgrad.onnx.form.RowForm.Rows;

/** A column of words: texts; one that the column does not have is as if it were missing. */
record CategoryInput(CategoryColumn column) implements ColumnInput {

    @Override
    public ValueInfo info() {
        return new ValueInfo(
                column.name(),
                ElementType.TEXT,
                SHAPE,
                "one of %d texts".formatted(column.values().size()));
    }

    @Override
    public List<String> add(OnnxGraph graph, String input) {
        // An index for an embedding is 0 if there is none, and else one more than the place.
        long first = column.isEmbedded() ? 1 : 0;
        int count = column.values().size();
        long[] indices = LongStream.range(first, first + count).toArray();
        String index = graph.addOfTables(
                "LabelEncoder",
                Attributes.none()
                        .withTexts("keys_strings", column.values())
                        .with("values_int64s", indices)
                        .with("default_int64", first - 1),
                input);
        String one = ColumnInput.column(graph, index);
        String encoded =
                column.isEmbedded() ? one : graph.add("Equal", Attributes.none(), one, graph.integers(indices));
        return List.of(graph.add("Cast", NumberInput.toFloat(), encoded));
    }

    @Override
    public Object values(Rows rows) {
        String[] values = new String[rows.count()];
        for (int row = 0; row < values.length; row++) {
            int place = place(rows, row);
            values[row] = place < 0 ? "" : column.values().get(place);
        }
        return values;
    }

    private int place(Rows rows, int row) {
        if (column.isEmbedded()) {
            return (int) rows.get(row, 0) - 1;
        }
        for (int i = 0; i < column.values().size(); i++) {
            if (rows.get(row, i) > 0) {
                return i;
            }
        }
        return -1;
    }
}
