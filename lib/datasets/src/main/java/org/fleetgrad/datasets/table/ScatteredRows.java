package org.fleetgrad.datasets.table;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.StoredRows;
import org.fleetgrad.files.DiskSpace;

/**
 * Rows on a disk, for tables that memory shall not have. The places are cut into buckets, whose rows are appended to regions of one file
 * in the order in which they come; a bucket fits in memory, where its rows are put in order when they are read.
 *
 * <p>The file has no name once it is open: whatever ends this program frees its room.
 */
final class ScatteredRows implements RowStore {

    private static final int BUFFER_BYTES = 1 << 16;

    private final FileChannel file;
    private final Path folder;
    private final int rows;
    private final int width;
    private final int targetCount;
    private final int rowsABucket;
    private final int recordBytes;
    private final ByteBuffer[] buffers;
    private final long[] ends;
    private long count;

    /**
     * Makes room for rows.
     *
     * @param folder      on whose disk they lie
     * @param targetCount      targets of a row
     * @param bucketBytes memory of a bucket
     * @throws InvalidDatasetException if the disk does not have as much
     */
    ScatteredRows(Path folder, int rows, int width, int targetCount, long bucketBytes) throws IOException {
        this.folder = folder;
        this.rows = rows;
        this.width = width;
        this.targetCount = targetCount;
        this.recordBytes = StoredRows.recordBytes(width, targetCount);
        this.rowsABucket = (int) Math.max(1, Math.min(rows, bucketBytes / recordBytes));
        long needed = (long) rows * recordBytes;
        OptionalLong free = DiskSpace.free(folder);
        if (free.isPresent() && free.getAsLong() < needed) {
            throw new InvalidDatasetException(
                    "%,d rows take %,d bytes while they are put in order, and %s has %,d bytes free"
                            .formatted(rows, needed, folder, free.getAsLong()));
        }
        this.file = openUnnamed(folder);
        this.buffers = new ByteBuffer[(rows - 1) / rowsABucket + 1];
        this.ends = new long[buffers.length];
        int bufferBytes = Math.max(1, BUFFER_BYTES / recordBytes) * recordBytes;
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = ByteBuffer.allocate(bufferBytes).order(ByteOrder.LITTLE_ENDIAN);
            ends[i] = (long) i * rowsABucket * recordBytes;
        }
    }

    private static FileChannel openUnnamed(Path folder) throws IOException {
        Path name = Files.createTempFile(folder, ".rows", ".tmp");
        try {
            return FileChannel.open(name, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } finally {
            Files.delete(name);
        }
    }

    @Override
    public void put(int place, float[] row, float[] target) throws IOException {
        int bucket = place / rowsABucket;
        ByteBuffer buffer = buffers[bucket];
        if (!buffer.hasRemaining()) {
            flush(bucket);
        }
        buffer.putInt(place);
        for (int i = 0; i < width; i++) {
            buffer.putFloat(row[i]);
        }
        for (int i = 0; i < targetCount; i++) {
            buffer.putFloat(target[i]);
        }
        count++;
    }

    private void flush(int bucket) throws IOException {
        ByteBuffer buffer = buffers[bucket].flip();
        try {
            while (buffer.hasRemaining()) {
                ends[bucket] += file.write(buffer, ends[bucket]);
            }
        } catch (IOException full) {
            throw new IOException(
                    "the %,d bytes of %,d rows cannot be written: %s%s"
                            .formatted((long) rows * recordBytes, rows, full.getMessage(), DiskSpace.note(folder)),
                    full);
        }
        buffer.clear();
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public StoredRows samples(Object source) throws IOException {
        if (count != rows) {
            throw RowStore.changed(source, count, rows);
        }
        for (int i = 0; i < buffers.length; i++) {
            flush(i);
        }
        return new StoredRows(file, rows, width, targetCount, rowsABucket);
    }
}
