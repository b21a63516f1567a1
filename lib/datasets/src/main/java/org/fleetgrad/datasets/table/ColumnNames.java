package org.fleetgrad.datasets.table;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.files.text.Printable;

/** The rules of the names of a file's columns. */
final class ColumnNames {

    private ColumnNames() {}

    /**
     * Checks names; an empty one is that of a column without a name.
     *
     * @param refusal makes the exception for a column, by its number and what is wrong
     */
    static void require(List<String> names, BiFunction<Integer, String, InvalidDatasetException> refusal)
            throws InvalidDatasetException {
        Set<String> known = new HashSet<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            if (name.isEmpty()) {
                continue;
            }
            try {
                TableColumn.requireName(name);
            } catch (IllegalArgumentException invalid) {
                throw refusal.apply(i, String.valueOf(invalid.getMessage()));
            }
            if (!known.add(name)) {
                throw refusal.apply(i, "the column '%s' is there twice".formatted(Printable.text(name)));
            }
        }
    }
}
