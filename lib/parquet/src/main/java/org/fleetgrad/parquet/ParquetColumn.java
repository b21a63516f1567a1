package org.fleetgrad.parquet;

import java.util.ArrayList;
import java.util.List;

/**
 * A column of a table.
 *
 * @param element its node of the schema
 * @param leaf    number of the chunk that has its values, or the first of them
 * @param leaves  number of chunks that have its values: 1, unless it has parts
 * @param reading how values become texts, or why not
 */
record ParquetColumn(SchemaElement element, int leaf, int leaves, ValueReading reading) {

    /**
     * Returns the columns of a schema.
     *
     * @param schema all nodes, each before its children
     * @throws IllegalArgumentException if it is no tree
     */
    static List<ParquetColumn> of(List<SchemaElement> schema) {
        if (schema.isEmpty()) {
            throw new IllegalArgumentException("it has no schema");
        }
        List<ParquetColumn> columns = new ArrayList<>();
        int at = 1;
        int leaf = 0;
        for (int i = 0; i < schema.get(0).children(); i++) {
            int end = end(schema, at);
            int leaves = leaves(schema, at, end);
            SchemaElement element = schema.get(at);
            columns.add(new ParquetColumn(element, leaf, leaves, ValueReading.of(element)));
            leaf += leaves;
            at = end;
        }
        if (at != schema.size()) {
            throw new IllegalArgumentException("its schema has %,d nodes, of which %,d are in no column"
                    .formatted(schema.size(), schema.size() - at));
        }
        return columns;
    }

    /** Returns where the nodes below one end. */
    private static int end(List<SchemaElement> schema, int from) {
        long open = 1;
        int at = from;
        while (open > 0) {
            if (at == schema.size() || schema.get(at).children() < 0) {
                throw new IllegalArgumentException(
                        "its schema has %,d nodes; more are stated".formatted(schema.size()));
            }
            open += schema.get(at).children() - 1L;
            at++;
        }
        return at;
    }

    private static int leaves(List<SchemaElement> schema, int from, int to) {
        return (int) schema.subList(from, to).stream()
                .filter(node -> node.children() == 0)
                .count();
    }

    /** Returns whether values may be missing. */
    boolean isOptional() {
        return element.repetition() == SchemaElement.Repetition.OPTIONAL;
    }
}
