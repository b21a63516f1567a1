package org.fleetgrad.onnx.file;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A tensor whose values are in the file.
 *
 * @param name  of the value that nodes read
 * @param type  of the values
 * @param shape outermost first; empty for one value
 * @param parts the values, little-endian, one part after the other; they are not copied
 */
record Initializer(String name, ElementType type, List<Long> shape, List<ByteBuffer> parts) {

    private static final int DIMENSIONS = 1;
    private static final int DATA_TYPE = 2;
    private static final int NAME = 8;
    private static final int RAW_DATA = 9;

    Initializer {
        shape = List.copyOf(shape);
        parts = List.copyOf(parts);
    }

    /** Returns the bytes of the values. */
    long dataBytes() {
        return parts.stream().mapToLong(ByteBuffer::remaining).sum();
    }

    /** Returns the bytes of the whole message. */
    long byteLength() {
        return head().length + lengthDelimited(RAW_DATA, dataBytes());
    }

    /** Returns the bytes of a field of so many bytes, with its tag and its length. */
    static long lengthDelimited(int field, long bytes) {
        return CodedOutputStream.computeTagSize(field) + CodedOutputStream.computeUInt64SizeNoTag(bytes) + bytes;
    }

    void writeTo(CodedOutputStream out) throws IOException {
        out.writeRawBytes(head());
        out.writeTag(RAW_DATA, WireFormat.WIRETYPE_LENGTH_DELIMITED);
        out.writeUInt64NoTag(dataBytes());
        for (ByteBuffer part : parts) {
            // It takes a buffer from its beginning to its capacity.
            out.writeRawBytes(part.slice());
        }
    }

    private byte[] head() {
        ProtobufMessage head = new ProtobufMessage();
        shape.forEach(side -> head.integer(DIMENSIONS, side));
        return head.integer(DATA_TYPE, type.number()).text(NAME, name).encode();
    }
}
