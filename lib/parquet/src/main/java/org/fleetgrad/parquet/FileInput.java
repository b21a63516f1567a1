package org.fleetgrad.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.LongConsumer;

/** Bytes of a part of a file, one after the other. Several may read one file. Not thread-safe. */
final class FileInput {

    private static final int BUFFER_BYTES = 1 << 10;

    /** A file channel copies each reading through memory outside the heap, which it keeps. */
    private static final int MOST_AT_ONCE = 1 << 16;

    private final FileChannel file;
    private final long partEnd;
    private final LongConsumer bytesRead;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).limit(0);
    private long next;

    /**
     * Begins to read.
     *
     * @param from      place in the file
     * @param to        place in the file, where the part ends
     * @param bytesRead is told the number of bytes of each reading
     */
    FileInput(FileChannel file, long from, long to, LongConsumer bytesRead) {
        this.file = file;
        this.next = from;
        this.partEnd = to;
        this.bytesRead = bytesRead;
    }

    /** Returns the number of bytes until the part ends. */
    long remaining() {
        return partEnd - next + buffer.remaining();
    }

    /**
     * Reads a byte.
     *
     * @return 0 to 255
     * @throws IllegalArgumentException if the part has ended
     */
    int read() throws IOException {
        if (!buffer.hasRemaining()) {
            require(1);
            fill(buffer.clear().limit((int) Math.min(BUFFER_BYTES, partEnd - next)));
            buffer.flip();
        }
        return buffer.get() & 0xff;
    }

    /**
     * Reads bytes.
     *
     * @param into     has room for them
     * @param wanted number of bytes
     * @throws IllegalArgumentException if the part ends before
     */
    void read(byte[] into, int wanted) throws IOException {
        require(wanted);
        int buffered = Math.min(wanted, buffer.remaining());
        buffer.get(into, 0, buffered);
        fill(ByteBuffer.wrap(into, buffered, wanted - buffered));
    }

    /**
     * Leaves bytes out.
     *
     * @throws IllegalArgumentException if the part ends before
     */
    void skip(long bytes) {
        require(bytes);
        int buffered = (int) Math.min(bytes, buffer.remaining());
        buffer.position(buffer.position() + buffered);
        next += bytes - buffered;
        bytesRead.accept(bytes - buffered);
    }

    private void require(long bytes) {
        if (bytes < 0 || bytes > remaining()) {
            throw new IllegalArgumentException("%,d bytes are stated where %,d are left".formatted(bytes, remaining()));
        }
    }

    private void fill(ByteBuffer into) throws IOException {
        int end = into.limit();
        while (into.position() < end) {
            into.limit(Math.min(end, into.position() + MOST_AT_ONCE));
            int read = file.read(into, next);
            if (read < 0) {
                throw new IllegalArgumentException("the file became shorter while it was read");
            }
            next += read;
            bytesRead.accept(read);
        }
    }
}
