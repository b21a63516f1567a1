package org.fleetgrad.onnx.form;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.datasets.table.DateColumn;
import org.fleetgrad.onnx.file.Attributes;
import org.fleetgrad.onnx.file.ElementType;
import org.fleetgrad.onnx.file.OnnxGraph;
import org.fleetgrad.onnx.file.ValueInfo;
import org.fleetgrad.onnx.form.RowForm.ColumnInput;
import org.fleetgrad.onnx.form.RowForm.Rows;

/**
 * A column of dates: seconds since 1970-01-01 of the date as it is written, without time zones, as NumPy's {@code datetime64[s]} is. The
 * calendar is computed in days from 0000-03-01 (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2013), since a year that begins
 * in March ends with its leap day.
 */
record DateInput(DateColumn column) implements ColumnInput {

    private static final long DAY = 86_400;
    private static final long HOUR_MINUTE = 60;
    private static final int MINUTES = 24 * 60;
    private static final int MONTHS = 12;
    private static final int DAYS = 7;

    /** Days from 0000-03-01 to 1970-01-01. */
    private static final long TO_1970 = 719_468;

    @Override
    public ValueInfo info() {
        return new ValueInfo(
                column.name(),
                ElementType.INT64,
                SHAPE,
                "seconds since 1970-01-01, as datetime64[s] of NumPy; the least int64 (NaT) if it is missing");
    }

    @Override
    public List<String> add(OnnxGraph graph, String input) {
        Whole all = new Whole(graph);
        String isMissing = graph.add("Equal", Attributes.none(), input, graph.integer(Long.MIN_VALUE));
        String known = graph.add("Where", Attributes.none(), isMissing, graph.integer(0), input);
        String shifted = all.sum(known, TO_1970 * DAY);
        String days = all.quotient(shifted, DAY);
        String era = all.quotient(days, 146_097);
        String ofEra = all.difference(days, all.product(era, 146_097));
        // Years of 365 days, but for each fourth, except each hundredth, except the last of 400.
        String plainDays = all.difference(
                all.sum(all.difference(ofEra, all.quotient(ofEra, 1460)), all.quotient(ofEra, 36_524)),
                all.quotient(ofEra, 146_096));
        String yearOfEra = all.quotient(plainDays, 365);
        String before = all.difference(
                all.sum(all.product(yearOfEra, 365), all.quotient(yearOfEra, 4)), all.quotient(yearOfEra, 100));
        String monthFromMarch = all.quotient(all.sum(all.product(all.difference(ofEra, before), 5), 2), 153);
        String year = all.sum(all.sum(yearOfEra, all.product(era, 400)), all.quotient(monthFromMarch, 10));
        List<String> parts = new ArrayList<>();
        parts.add(standardized(graph, year));
        parts.add(angles(graph, all.rest(all.sum(monthFromMarch, 2), MONTHS), MONTHS));
        // 0000-03-01 was a Wednesday.
        parts.add(angles(graph, all.rest(all.sum(days, 2), DAYS), DAYS));
        if (column.hasTime()) {
            parts.add(angles(graph, all.quotient(all.rest(shifted, DAY), HOUR_MINUTE), MINUTES));
        }
        String missing = ColumnInput.column(graph, isMissing);
        List<String> encoded = new ArrayList<>();
        for (String part : parts) {
            encoded.add(graph.add("Where", Attributes.none(), missing, graph.constant(0), part));
        }
        if (column.hasMissing()) {
            encoded.add(graph.add("Cast", NumberInput.toFloat(), missing));
        }
        return encoded;
    }

    private String standardized(OnnxGraph graph, String year) {
        String number = graph.add("Cast", Attributes.none().with("to", ElementType.FLOAT64.number()), year);
        String centred = graph.add("Sub", Attributes.none(), number, graph.doubles(List.of(), column.mean()));
        String scaled = graph.add("Div", Attributes.none(), centred, graph.doubles(List.of(), column.std()));
        return ColumnInput.column(graph, graph.add("Cast", NumberInput.toFloat(), scaled));
    }

    /** Sine and cosine of each part of a turn, from a table: the same bits as in training. */
    private static String angles(OnnxGraph graph, String part, int parts) {
        float[] table = new float[2 * parts];
        for (int i = 0; i < parts; i++) {
            DateColumn.putAngle((double) i / parts, table, 2 * i);
        }
        return graph.add("Gather", Attributes.none(), graph.floats(List.of((long) parts, 2L), table), part);
    }

    @Override
    public Object values(Rows rows) {
        int missing = column.width() - 1;
        long[] values = new long[rows.count()];
        for (int row = 0; row < values.length; row++) {
            // A known date has an angle, whose sine and cosine are not both 0.
            boolean isMissing =
                    column.hasMissing() ? rows.get(row, missing) > 0 : rows.get(row, 1) == 0 && rows.get(row, 2) == 0;
            values[row] = isMissing ? Long.MIN_VALUE : seconds(rows, row);
        }
        return values;
    }

    /** Returns a moment that is encoded so: of the days of the month, the first with that day of the week. */
    private long seconds(Rows rows, int row) {
        int year = (int) Math.round(column.mean() + column.std() * rows.get(row, 0));
        int month = part(rows, row, 1, MONTHS) + 1;
        int dayOfWeek = part(rows, row, 3, DAYS) + 1;
        LocalDate first = LocalDate.of(year, month, 1);
        LocalDate day =
                first.plusDays(Math.floorMod(dayOfWeek - first.getDayOfWeek().getValue(), DAYS));
        long minute = column.hasTime() ? part(rows, row, 5, MINUTES) : 0;
        return day.toEpochDay() * DAY + minute * HOUR_MINUTE;
    }

    private static int part(Rows rows, int row, int at, int parts) {
        double turn = Math.atan2(rows.get(row, at), rows.get(row, at + 1)) / (2 * Math.PI);
        return Math.floorMod((int) Math.round(turn * parts), parts);
    }

    /** Arithmetic of whole numbers that are not negative. */
    private record Whole(OnnxGraph graph) {

        String sum(String x, long number) {
            return sum(x, graph.integer(number));
        }

        String sum(String x, String y) {
            return graph.add("Add", Attributes.none(), x, y);
        }

        String difference(String x, String y) {
            return graph.add("Sub", Attributes.none(), x, y);
        }

        String product(String x, long number) {
            return graph.add("Mul", Attributes.none(), x, graph.integer(number));
        }

        String quotient(String x, long number) {
            return graph.add("Div", Attributes.none(), x, graph.integer(number));
        }

        String rest(String x, long number) {
            return graph.add("Mod", Attributes.none(), x, graph.integer(number));
        }
    }
}
