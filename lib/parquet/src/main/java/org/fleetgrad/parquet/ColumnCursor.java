package org.fleetgrad.parquet;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/** Walks down a column, through all groups of rows. A group of which no row is read is left out. Not thread-safe. */
final class ColumnCursor {

    private static final int MAGIC_BYTES = 4;

    private final FileChannel file;
    private final long pagesEnd;
    private final ParquetColumn column;
    private final ValueText text;
    private final List<RowGroup> groups;
    private final PageMemory memory;
    private final LongConsumer bytesRead;
    private final Cell cell = new Cell();
    private Optional<ColumnPages> pages = Optional.empty();
    private int nextGroup;
    private long groupEnd;
    private long row;
    private boolean isPresent;

    /**
     * Begins before the first row.
     *
     * @param pagesEnd place in the file, behind which there is no page
     */
    ColumnCursor(
            FileChannel file,
            long pagesEnd,
            ParquetColumn column,
            ValueText text,
            List<RowGroup> groups,
            PageMemory memory,
            LongConsumer bytesRead) {
        this.file = file;
        this.pagesEnd = pagesEnd;
        this.column = column;
        this.text = text;
        this.groups = groups;
        this.memory = memory;
        this.bytesRead = bytesRead;
    }

    /**
     * Returns the text of the value in a row; empty if it is missing.
     *
     * @param wanted number of the row, which counts from 0 and never goes back
     * @throws IllegalArgumentException if the file breaks the format, or takes more memory than there is
     */
    String get(long wanted) throws IOException {
        while (wanted >= groupEnd) {
            close();
            RowGroup group = groups.get(nextGroup++);
            row = groupEnd;
            groupEnd += group.rows();
            if (wanted < groupEnd) {
                pages = Optional.of(open(group));
            }
        }
        ColumnPages open = pages.orElseThrow();
        while (row <= wanted) {
            isPresent = open.next(cell);
            row++;
        }
        return isPresent ? text.of(cell) : "";
    }

    private ColumnPages open(RowGroup group) {
        Chunk chunk = group.chunks().get(column.leaf());
        if (chunk.isEncrypted() || chunk.isElsewhere()) {
            throw new IllegalArgumentException(
                    chunk.isEncrypted() ? "it is encrypted; write it without encryption" : "it lies in another file");
        }
        if (chunk.from() < MAGIC_BYTES || chunk.bytes() < 0 || chunk.bytes() > pagesEnd - chunk.from()) {
            throw new IllegalArgumentException("its pages are stated at %,d with %,d bytes; pages end at %,d"
                    .formatted(chunk.from(), chunk.bytes(), pagesEnd));
        }
        if (chunk.values() != group.rows()) {
            throw new IllegalArgumentException(
                    "a row group has %,d of its values, and %,d rows".formatted(chunk.values(), group.rows()));
        }
        FileInput in = new FileInput(file, chunk.from(), chunk.from() + chunk.bytes(), bytesRead);
        return new ColumnPages(in, Codec.of(chunk.codec()), column, chunk.values(), memory);
    }

    private void close() {
        pages.ifPresent(ColumnPages::close);
        pages = Optional.empty();
    }
}
