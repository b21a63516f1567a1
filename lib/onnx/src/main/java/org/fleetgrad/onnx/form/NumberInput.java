package org.fleetgrad.onnx.form;

import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.datasets.table.NumberColumn;
import org.fleetgrad.onnx.file.Attributes;
import org.fleetgrad.onnx.file.ElementType;
import org.fleetgrad.onnx.file.OnnxGraph;
import org.fleetgrad.onnx.file.ValueInfo;
import org.fleetgrad.onnx.form.RowForm.ColumnInput;
import org.fleetgrad.onnx.form.RowForm.Rows;

/** A column of numbers: float64, as in training; NaN is missing. */
record NumberInput(NumberColumn column) implements ColumnInput {

    @Override
    public ValueInfo info() {
        return new ValueInfo(column.name(), ElementType.FLOAT64, SHAPE, "a number; NaN if it is missing");
    }

    @Override
    public List<String> add(OnnxGraph graph, String input) {
        String isMissing = graph.add("IsNaN", Attributes.none(), input);
        String centred = graph.add("Sub", Attributes.none(), input, graph.doubles(List.of(), column.mean()));
        String scaled = graph.add("Div", Attributes.none(), centred, graph.doubles(List.of(), column.std()));
        String number = graph.add("Cast", toFloat(), scaled);
        String known = graph.add("Where", Attributes.none(), isMissing, graph.constant(0), number);
        List<String> all = new ArrayList<>(List.of(ColumnInput.column(graph, known)));
        if (column.hasMissing()) {
            all.add(ColumnInput.column(graph, graph.add("Cast", toFloat(), isMissing)));
        }
        return all;
    }

    static Attributes toFloat() {
        return Attributes.none().with("to", ElementType.FLOAT32.number());
    }

    @Override
    public Object values(Rows rows) {
        double[] values = new double[rows.count()];
        for (int row = 0; row < values.length; row++) {
            boolean isMissing = column.hasMissing() && rows.get(row, 1) > 0;
            values[row] = isMissing ? Double.NaN : column.mean() + column.std() * rows.get(row, 0);
        }
        return values;
    }
}
