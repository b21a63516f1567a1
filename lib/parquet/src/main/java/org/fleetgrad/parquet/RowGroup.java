package org.fleetgrad.parquet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Rows that lie together in a file.
 *
 * @param rows   number of rows
 * @param chunks of each column that has no parts, in the order of the schema
 */
record RowGroup(long rows, List<Chunk> chunks) {

    RowGroup {
        chunks = List.copyOf(chunks);
    }

    /**
     * Reads a group.
     *
     * @param counted is told the number of chunks before each is read
     */
    static RowGroup read(ThriftReader thrift, int type, IntConsumer counted) throws IOException {
        List<Chunk> chunks = new ArrayList<>();
        long[] rows = {0};
        thrift.struct(type, (id, field) -> {
            switch (id) {
                case 1 ->
                    thrift.list(field, element -> {
                        counted.accept(1);
                        chunks.add(Chunk.read(thrift, element));
                    });
                case 3 -> rows[0] = thrift.int64(field);
                default -> thrift.skip(field);
            }
        });
        return new RowGroup(rows[0], chunks);
    }
}
