package org.fleetgrad.datasets.table;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.json.JsonFields;
import org.fleetgrad.datasets.table.TableTarget.ClassTarget;
import org.fleetgrad.datasets.table.TableTarget.NumberTarget;
import tools.jackson.databind.node.ObjectNode;

/** Reads and writes the schema of a table as JSON: for shards, and for the metadata of parameter sets. */
public final class TableJson {

    /** Most bytes that are read. */
    public static final int MOST_BYTES = 1 << 20;

    /** Most bytes that are written: the header of a parameter set has 1 MiB, in which each quote takes two bytes. */
    public static final int MOST_WRITTEN = 1 << 19;

    private static final String CLASSES = "classes";
    private static final String LABELS = "labels";
    private static final String TARGET = "target";
    private static final String WEIGHT = "weight";

    private TableJson() {}

    /** Returns a schema as JSON. */
    public static ObjectNode node(TableSchema schema) {
        ObjectNode json = JsonFields.newObject();
        schema.columns().forEach(column -> put(json.withArray("columns").addObject(), column));
        putTarget(json, schema.target());
        schema.weight().ifPresent(name -> json.put(WEIGHT, name));
        return json;
    }

    /** Writes what is predicted. */
    public static void putTarget(ObjectNode json, TableTarget predicted) {
        ObjectNode target = json.putObject(TARGET);
        if (predicted instanceof LabelsTarget labels) {
            target.put("kind", LABELS);
            labels.labels().forEach(target.putArray(LABELS)::add);
            return;
        }
        target.put("name", predicted.name());
        if (predicted instanceof ClassTarget classes) {
            target.put("kind", CLASSES);
            classes.classes().forEach(target.putArray(CLASSES)::add);
        } else if (predicted instanceof NumberTarget number) {
            target.put("kind", ColumnKind.NUMBER.text())
                    .put("mean", number.mean())
                    .put("std", number.std());
        }
    }

    private static void put(ObjectNode json, TableColumn column) {
        json.put("name", column.name());
        if (column instanceof NumberColumn number) {
            json.put("kind", ColumnKind.NUMBER.text())
                    .put("mean", number.mean())
                    .put("std", number.std())
                    .put("missing", number.hasMissing());
        } else if (column instanceof DateColumn date) {
            json.put("kind", ColumnKind.DATE.text())
                    .put("time", date.hasTime())
                    .put("mean", date.mean())
                    .put("std", date.std())
                    .put("missing", date.hasMissing());
        } else if (column instanceof CategoryColumn category) {
            json.put("kind", ColumnKind.CATEGORY.text());
            category.values().forEach(json.putArray("values")::add);
        }
    }

    /**
     * Returns a schema as a text.
     *
     * @throws IllegalArgumentException if it is too long
     */
    public static String write(TableSchema schema) {
        String text = node(schema).toString();
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MOST_WRITTEN) {
            throw new IllegalArgumentException(
                    "the description of %,d columns has %,d bytes, the most is %,d; the column with the most values is '%s' with %,d (--drop)"
                            .formatted(
                                    schema.columns().size(),
                                    bytes,
                                    MOST_WRITTEN,
                                    largest(schema.columns()).name(),
                                    values(largest(schema.columns()))));
        }
        return text;
    }

    private static TableColumn largest(List<TableColumn> columns) {
        return columns.stream()
                .reduce((one, other) -> values(one) >= values(other) ? one : other)
                .orElseThrow();
    }

    private static int values(TableColumn column) {
        return column instanceof CategoryColumn category ? category.values().size() : 0;
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IllegalArgumentException if it breaks a rule; the message has the field
     */
    public static TableSchema parse(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > MOST_BYTES) {
            throw new IllegalArgumentException(
                    "the description of a table has %,d bytes, the most is %,d".formatted(bytes.length, MOST_BYTES));
        }
        return read(JsonFields.parse(bytes));
    }

    /**
     * Reads what {@link #node} made.
     *
     * @throws IllegalArgumentException if it breaks a rule; the message has the field
     */
    public static TableSchema read(JsonFields json) {
        return new TableSchema(
                json.objects("columns").stream().map(TableJson::column).toList(),
                target(json),
                json.has(WEIGHT) ? Optional.of(json.text(WEIGHT)) : Optional.empty());
    }

    private static TableColumn column(JsonFields json) {
        String name = json.text("name");
        String kind = json.text("kind");
        return switch (ColumnKind.named(kind).orElse(ColumnKind.DROP)) {
            case NUMBER -> new NumberColumn(name, json.number("mean"), json.number("std"), json.flag("missing"));
            case DATE ->
                new DateColumn(name, json.flag("time"), json.number("mean"), json.number("std"), json.flag("missing"));
            case CATEGORY -> new CategoryColumn(name, json.texts("values"));
            case DROP ->
                throw new IllegalArgumentException(
                        "a column must be a number, a date or a category; '%s' is '%s'".formatted(name, kind));
        };
    }

    /**
     * Reads what {@link #putTarget} wrote.
     *
     * @throws IllegalArgumentException if it breaks a rule; the message has the field
     */
    public static TableTarget target(JsonFields schema) {
        JsonFields json = schema.object(TARGET);
        String kind = json.text("kind");
        if (kind.equals(LABELS)) {
            return LabelsTarget.of(json.texts(LABELS));
        }
        String name = json.text("name");
        return switch (kind) {
            case CLASSES -> new ClassTarget(name, json.texts(CLASSES));
            case "number" -> new NumberTarget(name, json.number("mean"), json.number("std"));
            default ->
                throw new IllegalArgumentException(
                        "the target must be a number, classes or labels; '%s' is '%s'".formatted(name, kind));
        };
    }
}
