package org.fleetgrad.datasets.table;

import org.fleetgrad.files.text.Printable;

/**
 * A column that says yes or no of each row, beside others: of several labels. Immutable and thread-safe.
 *
 * @param name of the column
 */
public record LabelColumn(String name) implements TargetColumn {

    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if it breaks its rule
     */
    public LabelColumn {
        TableColumn.requireName(name);
    }

    /** Returns 1 for yes and 0 for no. The words may have capitals, and the numbers decimals: files come from many programs. */
    @Override
    public float encode(String value) {
        TargetColumn.requirePresent(name, value);
        double number = FieldValue.number(value);
        if (number == 1 || value.equalsIgnoreCase("yes") || value.equalsIgnoreCase("true")) {
            return 1;
        }
        if (number == 0 || value.equalsIgnoreCase("no") || value.equalsIgnoreCase("false")) {
            return 0;
        }
        throw new IllegalArgumentException(
                "the label '%s' is '%s'; one of several labels is 0 or 1, no or yes, false or true"
                        .formatted(Printable.text(name), Printable.text(value)));
    }
}
