package org.fleetgrad.ps.parameters;

import java.nio.ByteBuffer;
import java.util.function.IntFunction;
import org.fleetgrad.protocol.encoding.TensorFormat;

/** Writes versions of one parameter set as files in one encoding, in buffers that it uses again. */
final class EncodedTwins {

    private final TensorFormat format;
    private final int headerBytes;
    private final int fileBytes;
    private final BufferPool<ByteBuffer> buffers = BufferPool.ofDirectBuffers(SnapshotWriter.SPARE_BUFFERS);

    /**
     * @param longestHeader makes the longest header, so that every buffer fits every version
     */
    EncodedTwins(TensorFormat format, IntFunction<byte[]> longestHeader) {
        this.format = format;
        this.headerBytes = longestHeader.apply(0).length;
        this.fileBytes = Math.toIntExact(headerBytes + format.wireLayout().byteLength());
    }

    /**
     * Writes a version.
     *
     * @param file   a buffer of {@link #buffers}
     * @param header makes its header, padded to at least the given number of bytes
     * @param values the version's values; overwritten with values that are not defined
     */
    ByteBuffer write(ByteBuffer file, IntFunction<byte[]> header, float[] values) {
        file.put(header.apply(headerBytes));
        format.encode(values, file);
        return file.rewind();
    }

    /** Returns the bytes of each file. */
    int fileBytes() {
        return fileBytes;
    }

    BufferPool<ByteBuffer> buffers() {
        return buffers;
    }

    /** Returns the form of the tensors in each file. */
    TensorFormat format() {
        return format;
    }

    void recycle(ByteBuffer file) {
        buffers.giveBack(file);
    }
}
