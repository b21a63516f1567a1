package org.fleetgrad.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.TableSamples;
import org.fleetgrad.datasets.table.ParquetLibrary;
import org.fleetgrad.datasets.table.TableRows;

/**
 * Reads tables of Parquet files, by the <a href="https://parquet.apache.org/docs/file-format/">format's specification</a>: columns
 * without parts, of all encodings that pandas, Arrow and Spark write. What a file states takes no memory before it is proved, and
 * open pages take at most a quarter of the heap.
 */
public final class ParquetTables implements ParquetLibrary {

    private static final String MAGIC = "PAR1";
    private static final String ENCRYPTED = "PARE";
    private static final int TAIL_BYTES = 8;
    private static final int LEAST_BYTES = MAGIC.length() + TAIL_BYTES;

    @Override
    public TableRows open(Path path, LongConsumer bytesRead) throws IOException {
        FileChannel file = FileChannel.open(path);
        try {
            long size = file.size();
            long footerBytes = footerBytes(file, size);
            long pagesEnd = size - TAIL_BYTES - footerBytes;
            Footer footer = Footer.read(new FileInput(file, pagesEnd, size - TAIL_BYTES, bytesRead));
            if (footer.rows() > TableSamples.MOST_VALUES) {
                throw new IllegalArgumentException("it states %,d rows; the most of a table is %,d"
                        .formatted(footer.rows(), TableSamples.MOST_VALUES));
            }
            if (footer.columns().size() > TableRows.MOST_COLUMNS) {
                throw new IllegalArgumentException("it has %,d columns; the most of a table is %,d"
                        .formatted(footer.columns().size(), TableRows.MOST_COLUMNS));
            }
            return new ParquetRows(path, file, pagesEnd, footer, PageMemory.ofHeap(), bytesRead);
        } catch (IllegalArgumentException broken) {
            file.close();
            throw new InvalidDatasetException("%s: %s".formatted(path, broken.getMessage()), broken);
        } catch (IOException failed) {
            file.close();
            throw failed;
        }
    }

    private static long footerBytes(FileChannel file, long size) throws IOException {
        if (size < LEAST_BYTES) {
            throw new IllegalArgumentException(
                    "it has %,d bytes; a Parquet file has %d or more".formatted(size, LEAST_BYTES));
        }
        String head = text(read(file, 0, MAGIC.length()), 0);
        ByteBuffer end = read(file, size - TAIL_BYTES, TAIL_BYTES);
        String tail = text(end, Integer.BYTES);
        if (head.equals(ENCRYPTED) || tail.equals(ENCRYPTED)) {
            throw new IllegalArgumentException("its footer is encrypted; write it without encryption");
        }
        if (!head.equals(MAGIC) || !tail.equals(MAGIC)) {
            throw new IllegalArgumentException(
                    "it does not begin and end with PAR1, as Parquet files do: it is cut off, or of another format");
        }
        long bytes = Integer.toUnsignedLong(end.getInt(0));
        if (bytes > size - LEAST_BYTES) {
            throw new IllegalArgumentException(
                    "it states a footer of %,d bytes, and has %,d bytes".formatted(bytes, size));
        }
        return bytes;
    }

    private static ByteBuffer read(FileChannel file, long from, int bytes) throws IOException {
        byte[] into = new byte[bytes];
        new FileInput(file, from, from + bytes, read -> {}).read(into, bytes);
        return Bytes.of(into, 0, bytes);
    }

    private static String text(ByteBuffer bytes, int from) {
        byte[] magic = new byte[MAGIC.length()];
        bytes.get(from, magic);
        return new String(magic, StandardCharsets.ISO_8859_1);
    }
}
