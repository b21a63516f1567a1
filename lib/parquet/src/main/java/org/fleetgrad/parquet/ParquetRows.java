package org.fleetgrad.parquet;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.table.TableRows;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.parquet.ValueReading.Textual;
import org.fleetgrad.parquet.ValueReading.Unreadable;
import org.jspecify.annotations.Nullable;

/** The rows of a Parquet file. Of each column that is asked for, one page is in memory. Not thread-safe. */
final class ParquetRows implements TableRows {

    /** What pandas calls the names of the rows, which in a CSV have no name. */
    private static final Pattern INDEX = Pattern.compile("__index_level_\\d+__");

    private final Path path;
    private final FileChannel file;
    private final long pagesEnd;
    private final Footer footer;
    private final List<String> header;
    private final LongConsumer bytesRead;
    private final PageMemory memory;
    private final @Nullable ColumnCursor[] cursors;
    private long row = -1;
    private long counted;

    /**
     * Begins before the first row.
     *
     * @param pagesEnd place in the file, behind which there is no page
     */
    ParquetRows(Path path, FileChannel file, long pagesEnd, Footer footer, PageMemory memory, LongConsumer bytesRead) {
        this.path = path;
        this.file = file;
        this.pagesEnd = pagesEnd;
        this.footer = footer;
        this.memory = memory;
        this.bytesRead = bytesRead;
        this.cursors = new ColumnCursor[footer.columns().size()];
        this.header = footer.columns().stream()
                .map(column -> column.element().name())
                .map(name -> INDEX.matcher(name).matches() ? "" : name.trim())
                .toList();
    }

    @Override
    public List<String> header() {
        return header;
    }

    @Override
    public boolean next() {
        if (row + 1 >= footer.rows()) {
            return false;
        }
        row++;
        return true;
    }

    @Override
    public String get(int column) throws IOException {
        try {
            ColumnCursor cursor = cursors[column];
            if (cursor == null) {
                cursor = open(column);
                cursors[column] = cursor;
            }
            return cursor.get(row);
        } catch (IllegalArgumentException broken) {
            throw new InvalidDatasetException(message(column, String.valueOf(broken.getMessage())), broken);
        }
    }

    private ColumnCursor open(int index) throws InvalidDatasetException {
        ParquetColumn column = footer.columns().get(index);
        if (!(column.reading() instanceof Textual textual)) {
            throw unreadable();
        }
        return new ColumnCursor(file, pagesEnd, column, textual.text(), footer.groups(), memory, this::count);
    }

    private void count(long bytes) {
        counted += bytes;
        bytesRead.accept(bytes);
    }

    private InvalidDatasetException unreadable() {
        List<Integer> all = IntStream.range(0, cursors.length)
                .filter(i -> !isReadable(i))
                .boxed()
                .toList();
        return new InvalidDatasetException(
                "%s: columns of a table are numbers, texts, dates, and true and false; others are %s. Leave them out with --drop %s"
                        .formatted(
                                path,
                                all.stream().map(this::described).collect(Collectors.joining(", ")),
                                all.stream().map(i -> shown(i)).collect(Collectors.joining(","))));
    }

    private String described(int column) {
        return "'%s', which is %s"
                .formatted(
                        shown(column),
                        footer.columns().get(column).reading() instanceof Unreadable unreadable
                                ? unreadable.what()
                                : "readable");
    }

    private String shown(int column) {
        return Printable.text(footer.columns().get(column).element().name());
    }

    @Override
    public boolean isReadable(int column) {
        return footer.columns().get(column).reading() instanceof Textual;
    }

    @Override
    public String position() {
        return "row %d".formatted(row + 1);
    }

    @Override
    public String place() {
        return "%s, row %d,".formatted(path.getFileName(), row + 1);
    }

    @Override
    public InvalidDatasetException broken(int column, String detail) {
        return new InvalidDatasetException(message(column, detail));
    }

    private String message(int column, String detail) {
        return "%s: %scolumn %d ('%s'): %s"
                .formatted(path, row < 0 ? "" : position() + ", ", column + 1, shown(column), detail);
    }

    @Override
    public void close() throws IOException {
        // Pages that nobody asked for are done, too.
        count(Math.max(0, pagesEnd - counted));
        file.close();
    }
}
