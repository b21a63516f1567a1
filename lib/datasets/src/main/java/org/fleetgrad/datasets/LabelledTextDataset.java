package org.fleetgrad.datasets;

import java.util.List;

/**
 * Texts with labels, in memory.
 *
 * @param name   of the dataset
 * @param schema tokenizer, context and classes
 * @param train  the training samples
 * @param test   the held-out samples
 * @param notes  what the user should know of how the texts were read
 */
public record LabelledTextDataset(
        String name, LabelledTextSchema schema, LabelledTexts train, LabelledTexts test, List<String> notes)
        implements Dataset {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the name may not be a dataset's, or the samples do not fit the schema
     */
    public LabelledTextDataset {
        DatasetName.require(name);
        notes = List.copyOf(notes);
        train.requireFit(schema);
        test.requireFit(schema);
    }
}
