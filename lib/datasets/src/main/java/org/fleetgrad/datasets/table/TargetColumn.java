package org.fleetgrad.datasets.table;

import org.fleetgrad.datasets.table.TableTarget.ClassTarget;
import org.fleetgrad.datasets.table.TableTarget.NumberTarget;
import org.fleetgrad.files.text.Printable;

/** A column that is predicted, alone or with others. Immutable and thread-safe. */
public sealed interface TargetColumn permits ClassTarget, LabelColumn, NumberTarget {

    /** Returns the column's name. */
    String name();

    /**
     * Returns the target of a row as a network learns it.
     *
     * @throws IllegalArgumentException if the value is missing or none of the column's; the message has both
     */
    float encode(String value);

    /**
     * Checks that there is a value.
     *
     * @throws IllegalArgumentException if it is missing
     */
    static void requirePresent(String name, String value) {
        if (FieldValue.isMissing(value)) {
            throw new IllegalArgumentException("the target '%s' is missing; it is '%s', and each row needs one"
                    .formatted(name, Printable.text(value)));
        }
    }
}
