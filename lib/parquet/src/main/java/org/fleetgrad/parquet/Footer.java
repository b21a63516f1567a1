package org.fleetgrad.parquet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a file states of itself in its end. The schema and the numbers of rows fit each other; what is stated of pages is not checked.
 *
 * @param columns of the table
 * @param groups  of rows
 * @param rows    number of rows
 */
record Footer(List<ParquetColumn> columns, List<RowGroup> groups, long rows) {

    /** Most nodes of a schema. A table has at most 10,000 columns; those with parts have several nodes. */
    private static final int MOST_ELEMENTS = 1 << 16;

    /** Most chunks of all groups: 10,000 columns in 50 groups. */
    private static final int MOST_CHUNKS = 1 << 19;

    Footer {
        columns = List.copyOf(columns);
        groups = List.copyOf(groups);
    }

    /**
     * Reads a footer.
     *
     * @throws IllegalArgumentException if it breaks the format, or states more than the most
     */
    static Footer read(FileInput in) throws IOException {
        Reading reading = new Reading(new ThriftReader(in));
        reading.thrift.struct(reading);
        return reading.footer();
    }

    /** The fields while they are read. */
    private static final class Reading implements ThriftReader.Fields {

        private final ThriftReader thrift;
        private final List<SchemaElement> schema = new ArrayList<>();
        private final List<RowGroup> groups = new ArrayList<>();
        private long rows;
        private int chunks;

        Reading(ThriftReader thrift) {
            this.thrift = thrift;
        }

        @Override
        public void read(int id, int field) throws IOException {
            switch (id) {
                case 2 ->
                    thrift.list(field, type -> {
                        if (schema.size() == MOST_ELEMENTS) {
                            throw new IllegalArgumentException(
                                    "its schema has more than %,d nodes, which is the most".formatted(MOST_ELEMENTS));
                        }
                        schema.add(SchemaElement.read(thrift, type));
                    });
                case 3 -> rows = thrift.int64(field);
                case 4 ->
                    thrift.list(field, type -> {
                        count(1);
                        groups.add(RowGroup.read(thrift, type, this::count));
                    });
                case 8 -> throw new IllegalArgumentException("its columns are encrypted; write it without encryption");
                default -> thrift.skip(field);
            }
        }

        private void count(int more) {
            chunks += more;
            if (chunks > MOST_CHUNKS) {
                throw new IllegalArgumentException(
                        "its columns lie in more than %,d pieces, which is the most; write larger row groups"
                                .formatted(MOST_CHUNKS));
            }
        }

        Footer footer() {
            List<ParquetColumn> columns = ParquetColumn.of(schema);
            int leaves = columns.stream().mapToInt(ParquetColumn::leaves).sum();
            long sum = 0;
            for (RowGroup group : groups) {
                if (group.chunks().size() != leaves) {
                    throw new IllegalArgumentException("a row group has %,d columns, the schema has %,d"
                            .formatted(group.chunks().size(), leaves));
                }
                if (group.rows() < 0 || group.rows() > rows - sum) {
                    throw new IllegalArgumentException(
                            "a row group states %,d rows after %,d of %,d".formatted(group.rows(), sum, rows));
                }
                sum += group.rows();
            }
            if (sum != rows) {
                throw new IllegalArgumentException("its row groups have %,d rows; it states %,d".formatted(sum, rows));
            }
            return new Footer(columns, groups, rows);
        }
    }
}
