package org.fleetgrad.datasets;

import java.util.List;

/**
 * A table.
 *
 * @param name   of the dataset
 * @param schema columns and target
 * @param train  the training rows: in memory, or, of a large table, in a file
 * @param test   the held-out rows
 * @param notes  what was inferred of the columns
 */
public record TableDataset(String name, TableSchema schema, Samples train, TableSamples test, List<String> notes)
        implements Dataset {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the name may not be a dataset's, or the samples do not fit the schema
     */
    public TableDataset {
        DatasetName.require(name);
        notes = List.copyOf(notes);
        train.requireFit(schema);
        test.requireFit(schema);
    }
}
