package org.fleetgrad.serving.tables;

import java.util.Map;
import java.util.Optional;
import org.fleetgrad.datasets.RowSchema;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.array.SeriesJson;
import org.fleetgrad.datasets.table.TableJson;
import org.fleetgrad.protocol.MetadataKeys;
import org.jspecify.annotations.Nullable;

/**
 * The schema of rows as the metadata of parameter sets state it. That of a table has up to a megabyte, and each version of a run states
 * the same: the last one is kept. Thread-safe.
 */
public final class StatedRows {

    private static volatile @Nullable Parsed last;

    private StatedRows() {}

    private record Parsed(String text, TableSchema schema) {}

    /**
     * Returns the schema of rows that the metadata of a parameter set state, of a table or of series, if they state one.
     *
     * @throws IllegalArgumentException if it breaks a rule; the message has the field
     */
    public static Optional<RowSchema> in(Map<String, String> metadata) {
        Optional<RowSchema> table =
                Optional.ofNullable(metadata.get(MetadataKeys.TABLE)).map(StatedRows::of);
        return table.or(
                () -> Optional.ofNullable(metadata.get(MetadataKeys.SERIES)).map(SeriesJson::parse));
    }

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
