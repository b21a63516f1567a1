package org.fleetgrad.datasets;

import java.util.List;

/**
 * Series of arrays, in memory.
 *
 * @param name   of the dataset
 * @param schema channels and target
 * @param train  the training samples
 * @param test   the held-out samples
 * @param notes  what the arrays are
 */
public record SeriesDataset(String name, SeriesSchema schema, TableSamples train, TableSamples test, List<String> notes)
        implements Dataset {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the name may not be a dataset's, or the samples do not fit the schema
     */
    public SeriesDataset {
        DatasetName.require(name);
        notes = List.copyOf(notes);
        train.requireFit(schema);
        test.requireFit(schema);
    }
}
