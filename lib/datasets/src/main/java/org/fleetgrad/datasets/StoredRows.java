package org.fleetgrad.datasets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;

/**
 * Rows of a table that lie in a file and not in memory, except for the bucket that was read last. A bucket is a number of places
 * that follow each other; the file has its rows in any order. Thread-safe.
 */
public final class StoredRows implements Samples {

    /** Reads as many bytes at a time. */
    private static final int CHUNK_BYTES = 1 << 20;

    private final FileChannel file;
    private final int rows;
    private final int width;
    private final int targetCount;
    private final int rowsABucket;
    private final boolean isWeighted;
    private int bucket = -1;
    private float[] values = {};
    private float[] targets = {};

    /**
     * Takes ownership of a file of records: the place of a row as int32, its values and its targets as float32, little endian.
     *
     * @param targetCount      targets of a row
     * @param rowsABucket rows of each bucket but the last
     */
    public StoredRows(FileChannel file, int rows, int width, int targetCount, int rowsABucket) {
        this(file, rows, width, targetCount, rowsABucket, false);
    }

    private StoredRows(FileChannel file, int rows, int width, int targetCount, int rowsABucket, boolean isWeighted) {
        this.file = file;
        this.rows = rows;
        this.width = width;
        this.targetCount = targetCount;
        this.rowsABucket = rowsABucket;
        this.isWeighted = isWeighted;
    }

    /** Returns the same rows, whose last value is their weight and no value. */
    public StoredRows weighted() {
        return new StoredRows(file, rows, width, targetCount, rowsABucket, true);
    }

    /** Returns the bytes of a record. */
    public static int recordBytes(int width, int targetCount) {
        return Integer.BYTES + Math.multiplyExact(width + targetCount, Float.BYTES);
    }

    @Override
    public int count() {
        return rows;
    }

    /**
     * Reads the samples.
     *
     * @throws UncheckedIOException if the file cannot be read
     */
    @Override
    public synchronized TableSamples slice(int from, int to) {
        if (from < 0 || from >= to || to > rows) {
            throw new IllegalArgumentException(
                    "a slice from %d to %d is not within %d samples".formatted(from, to, rows));
        }
        float[] own = new float[Math.multiplyExact(to - from, width)];
        float[] ownTargets = new float[Math.multiplyExact(to - from, targetCount)];
        int next = from;
        while (next < to) {
            load(next / rowsABucket);
            int first = bucket * rowsABucket;
            int end = Math.min(to, first + targets.length / targetCount);
            System.arraycopy(values, (next - first) * width, own, (next - from) * width, (end - next) * width);
            System.arraycopy(
                    targets,
                    (next - first) * targetCount,
                    ownTargets,
                    (next - from) * targetCount,
                    (end - next) * targetCount);
            next = end;
        }
        TableSamples samples = new TableSamples(own, width, ownTargets, targetCount);
        return isWeighted ? samples.weighted() : samples;
    }

    private void load(int wanted) {
        if (bucket == wanted) {
            return;
        }
        int first = wanted * rowsABucket;
        int count = Math.min(rowsABucket, rows - first);
        if (targets.length != count * targetCount) {
            values = new float[count * width];
            targets = new float[count * targetCount];
        }
        // If reading fails, neither the bucket before nor this one is there.
        bucket = -1;
        int bytes = recordBytes(width, targetCount);
        ByteBuffer chunk =
                ByteBuffer.allocate(Math.max(1, CHUNK_BYTES / bytes) * bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int done = 0; done < count; done += chunk.limit() / bytes) {
            chunk.clear().limit((int) Math.min(chunk.capacity(), (long) (count - done) * bytes));
            read(chunk, (long) (first + done) * bytes);
            while (chunk.hasRemaining()) {
                int place = chunk.getInt() - first;
                for (int i = 0; i < width; i++) {
                    values[place * width + i] = chunk.getFloat();
                }
                for (int i = 0; i < targetCount; i++) {
                    targets[place * targetCount + i] = chunk.getFloat();
                }
            }
        }
        bucket = wanted;
    }

    private void read(ByteBuffer chunk, long from) {
        try {
            long at = from;
            while (chunk.hasRemaining()) {
                int read = file.read(chunk, at);
                if (read < 0) {
                    throw new IOException("the rows end at byte %,d".formatted(at));
                }
                at += read;
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        chunk.flip();
    }

    /** Each slice is checked when a shard is made of it. */
    @Override
    public void requireFit(Schema schema) {
        TableSamples.requireWidth(schema, isWeighted ? width - 1 : width);
    }
}
