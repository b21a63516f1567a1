package org.fleetgrad.datasets;

import org.fleetgrad.datasets.text.Tokens;

/**
 * A text in memory.
 *
 * @param name   of the dataset
 * @param schema tokenizer and context
 * @param train  the training samples
 * @param test   the held-out samples
 */
public record TextDataset(String name, TextSchema schema, TextSamples train, TextSamples test) implements Dataset {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the name may not be a dataset's, or the samples do not fit the schema
     */
    public TextDataset {
        DatasetName.require(name);
        train.requireFit(schema);
        test.requireFit(schema);
    }

    /**
     * Encodes a text and what is held out of it.
     *
     * @throws IllegalArgumentException if a character has no token, or a text is too short
     */
    public static TextDataset of(String name, TextSchema schema, String training, String heldOut) {
        return new TextDataset(
                name,
                schema,
                TextSamples.training(Tokens.of(schema.tokenizer().encode(training)), schema.context()),
                TextSamples.heldOut(Tokens.of(schema.tokenizer().encode(heldOut)), schema.context()));
    }
}
