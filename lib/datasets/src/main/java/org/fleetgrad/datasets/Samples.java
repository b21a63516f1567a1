package org.fleetgrad.datasets;

/** The samples of a shard or of a split, in their order. Immutable and thread-safe. */
public sealed interface Samples permits ImageSamples, LabelledTexts, StoredRows, TableSamples, TextSamples {

    /** Returns the number of samples. */
    int count();

    /** Copies the samples from index {@code from} (inclusive) to {@code to} (exclusive). */
    Samples slice(int from, int to);

    /**
     * Checks that the samples are as a schema describes them.
     *
     * @throws IllegalArgumentException if they are not; the message has the numbers
     */
    void requireFit(Schema schema);
}
