package org.fleetgrad.inference.web;

import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.datasets.RowSchema;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.table.CategoryColumn;
import org.fleetgrad.datasets.table.DateColumn;
import org.fleetgrad.datasets.table.NumberColumn;
import org.fleetgrad.datasets.table.TableColumn;
import org.jspecify.annotations.Nullable;

/**
 * What a row of the served version has, for those who ask by column.
 *
 * @param target  name of the column that is predicted; of several labels all names, with commas
 * @param columns from which it is predicted
 */
record TableReply(String target, List<Column> columns) {

    /** Maximum characters of all names and values: a client that polls for another version gets them each time. */
    static final int MAX_CHARACTERS = 1 << 16;

    private static final int MOST_VALUES = 200;

    /**
     * One column.
     *
     * @param kind   {@code number}, {@code date} or {@code category}
     * @param mean   of a number in the training rows
     * @param values of a category; absent if there are more than 200
     */
    record Column(
            String name,
            String kind,
            @Nullable Double mean,
            @Nullable List<String> values) {}

    /** Returns the columns of a table, or null if the rows are of none, or they are too long for a status. */
    static @Nullable TableReply of(RowSchema rows) {
        if (!(rows instanceof TableSchema table)) {
            return null;
        }
        List<Column> columns = new ArrayList<>();
        long characters = table.target().name().length();
        for (TableColumn column : table.columns()) {
            Column described = column(column);
            characters += described.name().length();
            if (described.values() != null) {
                characters +=
                        described.values().stream().mapToLong(String::length).sum();
            }
            if (characters > MAX_CHARACTERS) {
                return null;
            }
            columns.add(described);
        }
        return new TableReply(table.target().name(), columns);
    }

    private static Column column(TableColumn column) {
        if (column instanceof NumberColumn number) {
            return new Column(number.name(), "number", number.mean(), null);
        }
        if (column instanceof CategoryColumn category) {
            List<String> values = category.values();
            return new Column(category.name(), "category", null, values.size() > MOST_VALUES ? null : values);
        }
        return new Column(((DateColumn) column).name(), "date", null, null);
    }
}
