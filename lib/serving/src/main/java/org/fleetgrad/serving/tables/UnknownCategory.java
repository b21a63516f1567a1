package org.fleetgrad.serving.tables;

import java.util.List;
import org.fleetgrad.datasets.table.CategoryColumn;

/**
 * A category of a request that the model does not have: it answered as if the value were missing.
 *
 * @param row        of the request, from 0
 * @param column     name of the column
 * @param value      what the row has there, safe to print and not too long
 * @param categories number of categories that the model has of this column
 * @param known      the first of them
 */
public record UnknownCategory(int row, String column, String value, int categories, List<String> known) {

    private static final int MOST_KNOWN = 50;

    /** Bounds an answer: a request may have thousands. */
    private static final int MOST_NOTED = 10;

    /** Notes a category of a request; those after the tenth are left out. */
    public static void note(List<UnknownCategory> noted, int row, CategoryColumn column, String value) {
        if (noted.size() < MOST_NOTED) {
            List<String> values = column.values();
            noted.add(new UnknownCategory(
                    row, column.name(), value, values.size(), values.subList(0, Math.min(values.size(), MOST_KNOWN))));
        }
    }
}
