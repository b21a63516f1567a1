package org.fleetgrad.datasets.table;

import org.fleetgrad.files.text.Printable;
import org.fleetgrad.networks.ClassWeights;

/** The weight of a row in the loss, a column of a table that is no input. */
final class RowWeight {

    private RowWeight() {}

    /**
     * Reads the weight of a row.
     *
     * @param name of the column
     * @throws IllegalArgumentException if it is missing or not what a weight may be; the message has both
     */
    static float of(String name, String value) {
        double number = FieldValue.isMissing(value) ? Double.NaN : FieldValue.number(value);
        if (!ClassWeights.isFactor(number)) {
            throw new IllegalArgumentException("the weight '%s' of a row must be %s; it is '%s'"
                    .formatted(Printable.text(name), ClassWeights.RULE, Printable.text(value)));
        }
        return (float) number;
    }
}
