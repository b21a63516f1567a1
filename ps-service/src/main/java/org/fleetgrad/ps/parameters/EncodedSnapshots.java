package org.fleetgrad.ps.parameters;

import java.nio.ByteBuffer;
import org.fleetgrad.protocol.encoding.TensorFormat;
import org.fleetgrad.protocol.safetensors.SafetensorsHeader;

/** Writes versions of one parameter set as files in one encoding, in buffers that it reuses. */
final class EncodedSnapshots {

    private final TensorFormat format;
    private final SafetensorsHeader header;
    private final int headerBytes;
    private final int fileBytes;
    private final BufferPool<ByteBuffer> buffers = BufferPool.ofDirectBuffers(SnapshotWriter.SPARE_BUFFERS);

    /**
     * @param header      writes the headers of the files
     * @param headerBytes of the longest header, so that every buffer fits every version
     */
    EncodedSnapshots(TensorFormat format, SafetensorsHeader header, int headerBytes) {
        this.format = format;
        this.header = header;
        this.headerBytes = headerBytes;
        this.fileBytes = Math.toIntExact(headerBytes + format.wireLayout().byteLength());
    }

    /**
     * Writes a version.
     *
     * @param file   a buffer of {@link #buffers}
     * @param header its header, of {@link #headerBytes}
     * @param values the version's values; overwritten with undefined values
     */
    ByteBuffer write(ByteBuffer file, byte[] header, float[] values) {
        file.put(header);
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

    SafetensorsHeader header() {
        return header;
    }

    int headerBytes() {
        return headerBytes;
    }

    void recycle(ByteBuffer file) {
        buffers.release(file);
    }
}
