package org.fleetgrad.datasets.table;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.fleetgrad.files.text.Printable;
import org.jspecify.annotations.Nullable;

/**
 * What a user says of a table.
 *
 * @param targets the columns that are predicted: one, or several labels; without one, files are not read as a table
 * @param kinds   the kinds of columns that are not inferred, by name
 * @param weight  the column that is the weight of a row in the loss, if there is one
 */
public record TableOptions(List<String> targets, Map<String, ColumnKind> kinds, Optional<String> weight) {

    /** No table. */
    public static final TableOptions NONE = new TableOptions(List.of(), Map.of());

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if there are kinds or a weight but no target, a target is dropped, named twice or one of too many,
     *     or the weight is a target or has a kind
     */
    public TableOptions {
        targets = List.copyOf(targets);
        kinds = Map.copyOf(kinds);
        if (targets.isEmpty() && !kinds.isEmpty()) {
            throw new IllegalArgumentException(
                    "columns (--column, --drop) are of tables, which need --target COLUMN; %d are named: %s"
                            .formatted(kinds.size(), Printable.text(String.join(", ", new TreeMap<>(kinds).keySet()))));
        }
        if (targets.isEmpty() && weight.isPresent()) {
            throw new IllegalArgumentException(
                    "a weight of rows (--weight %s) is a column of a table, which needs --target COLUMN"
                            .formatted(Printable.text(weight.get())));
        }
        if (weight.isPresent() && (targets.contains(weight.get()) || kinds.containsKey(weight.get()))) {
            throw new IllegalArgumentException(
                    "the weight of rows '%s' is the target, or named by --column or --drop, too; a column is one of them"
                            .formatted(Printable.text(weight.get())));
        }
        if (targets.size() > 1) {
            LabelsTarget.requireNames(targets);
        }
        for (String target : targets) {
            @Nullable ColumnKind kind = kinds.get(target);
            if (kind == ColumnKind.DROP || kind == ColumnKind.DATE) {
                throw new IllegalArgumentException("the target '%s' must be a number or a category; it is to be %s"
                        .formatted(Printable.text(target), kind == ColumnKind.DROP ? "dropped" : "a date"));
            }
            if (kind != null && targets.size() > 1) {
                throw new IllegalArgumentException(
                        "the target '%1$s' is one of %2$,d labels, which are no or yes each: leave out --column '%1$s:%3$s'"
                                .formatted(Printable.text(target), targets.size(), kind.text()));
            }
        }
    }

    /** The options of a table whose rows count alike. */
    public TableOptions(List<String> targets, Map<String, ColumnKind> kinds) {
        this(targets, kinds, Optional.empty());
    }

    /**
     * Returns the same options with a column that is the weight of a row.
     *
     * @throws IllegalArgumentException if it cannot be one
     */
    public TableOptions weighing(Optional<String> column) {
        return new TableOptions(targets, kinds, column);
    }

    /**
     * Reads what a user writes.
     *
     * @param targets the columns that are predicted
     * @param columns names and kinds, such as {@code zip:category}
     * @param dropped names of columns that are left out
     * @throws IllegalArgumentException if one has no kind, or is named twice, or there are some but no target
     */
    public static TableOptions of(List<String> targets, List<String> columns, List<String> dropped) {
        Map<String, ColumnKind> kinds = new TreeMap<>();
        for (String column : columns) {
            int colon = column.lastIndexOf(':');
            Optional<ColumnKind> kind = ColumnKind.named(column.substring(colon + 1));
            if (colon < 1 || kind.isEmpty()) {
                throw new IllegalArgumentException("a column and its kind are NAME:KIND, with the kinds %s; it is '%s'"
                        .formatted(ColumnKind.list(), Printable.text(column)));
            }
            put(kinds, column.substring(0, colon), kind.get());
        }
        dropped.forEach(name -> put(kinds, name, ColumnKind.DROP));
        return new TableOptions(targets, kinds);
    }

    private static void put(Map<String, ColumnKind> kinds, String name, ColumnKind kind) {
        ColumnKind other = kinds.put(name, kind);
        if (other != null) {
            throw new IllegalArgumentException("the column '%s' has two kinds, %s and %s"
                    .formatted(Printable.text(name), other.text(), kind.text()));
        }
    }
}
