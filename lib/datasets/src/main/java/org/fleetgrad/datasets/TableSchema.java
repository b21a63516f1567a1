package org.fleetgrad.datasets;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.fleetgrad.datasets.table.CategoryColumn;
import org.fleetgrad.datasets.table.TableColumn;
import org.fleetgrad.datasets.table.TableJson;
import org.fleetgrad.datasets.table.TableTarget;
import org.fleetgrad.networks.TableTask;
import org.fleetgrad.protocol.MetadataKeys;

/**
 * A table: a target, of one column or several, is predicted from the other columns. A row is float32: the values of all columns but the embedded ones, in the
 * order of the columns, then an index for each embedded column.
 *
 * @param columns from which the target is predicted
 * @param target  what is predicted
 * @param weight  name of the column that is the weight of a row in the loss, and no input; absent if all rows count alike
 */
public record TableSchema(List<TableColumn> columns, TableTarget target, Optional<String> weight) implements RowSchema {

    /** Most columns. */
    public static final int MOST_COLUMNS = 10_000;

    /**
     * Checks the columns.
     *
     * @throws IllegalArgumentException if there are none or too many, two have one name, or a row has too many values
     */
    public TableSchema {
        columns = List.copyOf(columns);
        if (columns.isEmpty() || columns.size() > MOST_COLUMNS) {
            throw new IllegalArgumentException("a table must have 1 to %,d columns beside the target; it has %,d"
                    .formatted(MOST_COLUMNS, columns.size()));
        }
        Set<String> names = new HashSet<>();
        target.columns().forEach(column -> names.add(column.name()));
        weight.ifPresent(name -> {
            TableColumn.requireName(name);
            if (!names.add(name)) {
                throw new IllegalArgumentException("the column '%s' is there twice".formatted(name));
            }
        });
        int width = 0;
        for (TableColumn column : columns) {
            width += column.width();
            if (!names.add(column.name())) {
                throw new IllegalArgumentException("the column '%s' is there twice".formatted(column.name()));
            }
        }
        if (width > TableTask.MOST_VALUES) {
            throw new IllegalArgumentException("%,d columns become %,d values of a row; the most is %,d (--drop)"
                    .formatted(columns.size(), width, TableTask.MOST_VALUES));
        }
    }

    /** A table whose rows count alike. */
    public TableSchema(List<TableColumn> columns, TableTarget target) {
        this(columns, target, Optional.empty());
    }

    @Override
    public boolean isWeighted() {
        return weight.isPresent();
    }

    @Override
    public int numbers() {
        int numbers = 0;
        for (TableColumn column : columns) {
            numbers += column.isEmbedded() ? 0 : column.width();
        }
        return numbers;
    }

    @Override
    public List<Integer> categories() {
        List<Integer> categories = new ArrayList<>();
        for (TableColumn column : columns) {
            if (column.isEmbedded() && column instanceof CategoryColumn category) {
                categories.add(category.indices());
            }
        }
        return categories;
    }

    @Override
    public int width() {
        int width = 0;
        for (TableColumn column : columns) {
            width += column.width();
        }
        return width;
    }

    /** Returns where in a row each column begins. */
    public int[] places() {
        int[] places = new int[columns.size()];
        int plain = 0;
        int embedded = numbers();
        for (int i = 0; i < places.length; i++) {
            TableColumn column = columns.get(i);
            if (column.isEmbedded()) {
                places[i] = embedded++;
            } else {
                places[i] = plain;
                plain += column.width();
            }
        }
        return places;
    }

    @Override
    public TableTask task() {
        return new TableTask(numbers(), categories(), question());
    }

    @Override
    public Map<String, String> metadata() {
        return metadata(MetadataKeys.TABLE, TableJson.write(this));
    }
}
