package org.fleetgrad.serving.tables;

import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.table.TableJson;
import org.jspecify.annotations.Nullable;

/**
 * The schema of a table as the metadata of parameter sets state it. A schema has up to a megabyte, and each version of a run states
 * the same: the last one is kept. Thread-safe.
 */
public final class StatedTable {

    private static volatile @Nullable Parsed last;

    private StatedTable() {}

    private record Parsed(String text, TableSchema schema) {}

    /**
     * Returns the schema of a text; the same text gives the same object.
     *
     * @throws IllegalArgumentException if it breaks a rule; the message has the field
     */
    public static TableSchema of(String text) {
        Parsed known = last;
        if (known == null || !known.text().equals(text)) {
            known = new Parsed(text, TableJson.parse(text));
            last = known;
        }
        return known.schema();
    }
}
