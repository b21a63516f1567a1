package org.fleetgrad.serving.tables;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.fleetgrad.datasets.RowSchema;
import org.fleetgrad.datasets.array.SeriesJson;
import org.fleetgrad.datasets.table.TableJson;
import org.fleetgrad.protocol.MetadataKeys;
import org.jspecify.annotations.Nullable;

/**
 * The schema of rows as the metadata of parameter sets state it. It has up to a megabyte, and each version of a run states the same: the
 * last one is kept. Thread-safe.
 */
public final class StatedRows {

    private static volatile @Nullable Parsed last;

    private StatedRows() {}

    private record Parsed(String key, String text, RowSchema schema) {}

    /**
     * Returns the schema of rows that the metadata of a parameter set state, of a table or of series, if they state one.
     *
     * @throws IllegalArgumentException if it breaks a rule; the message has the field
     */
    public static Optional<RowSchema> in(Map<String, String> metadata) {
        return stated(metadata, MetadataKeys.TABLE, TableJson::parse)
                .or(() -> stated(metadata, MetadataKeys.SERIES, SeriesJson::parse));
    }

    private static Optional<RowSchema> stated(
            Map<String, String> metadata, String key, Function<String, RowSchema> parser) {
        return Optional.ofNullable(metadata.get(key)).map(text -> of(key, text, parser));
    }

    private static RowSchema of(String key, String text, Function<String, RowSchema> parser) {
        Parsed known = last;
        if (known == null || !known.key().equals(key) || !known.text().equals(text)) {
            known = new Parsed(key, text, parser.apply(text));
            last = known;
        }
        return known.schema();
    }
}
