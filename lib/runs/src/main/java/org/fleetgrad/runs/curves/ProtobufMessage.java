package org.fleetgrad.runs.curves;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Writes the few field types of a TensorBoard event, in protobuf's wire format (protobuf.dev/programming-guides/encoding): a
 * tag of the field's number and its wire type, then the value. A library and its generated classes would be larger than all
 * other dependencies of the command line.
 */
final class ProtobufMessage {

    private static final int VARINT = 0;
    private static final int FIXED_64 = 1;
    private static final int LENGTH_DELIMITED = 2;
    private static final int FIXED_32 = 5;
    private static final int WIRE_TYPE_BITS = 3;
    private static final int VARINT_BITS = 7;
    private static final int MORE = 1 << VARINT_BITS;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** Adds an int64 or an enum. */
    ProtobufMessage integer(int field, long value) {
        tag(field, VARINT);
        varint(value);
        return this;
    }

    /** Adds a double. */
    ProtobufMessage float64(int field, double value) {
        tag(field, FIXED_64);
        bytes.writeBytes(ByteBuffer.allocate(Double.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putDouble(value)
                .array());
        return this;
    }

    /** Adds a float. */
    ProtobufMessage float32(int field, float value) {
        tag(field, FIXED_32);
        bytes.writeBytes(ByteBuffer.allocate(Float.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putFloat(value)
                .array());
        return this;
    }

    /** Adds a string. */
    ProtobufMessage text(int field, String value) {
        return delimited(field, value.getBytes(StandardCharsets.UTF_8));
    }

    /** Adds a message within this one. */
    ProtobufMessage message(int field, ProtobufMessage value) {
        return delimited(field, value.encode());
    }

    private ProtobufMessage delimited(int field, byte[] value) {
        tag(field, LENGTH_DELIMITED);
        varint(value.length);
        bytes.writeBytes(value);
        return this;
    }

    private void tag(int field, int wireType) {
        varint((long) field << WIRE_TYPE_BITS | wireType);
    }

    /** Seven bits a byte, the lowest first; a set high bit says that more follow. A negative number takes ten bytes. */
    private void varint(long value) {
        long rest = value;
        while ((rest & -MORE) != 0) {
            bytes.write((int) (rest & (MORE - 1)) | MORE);
            rest >>>= VARINT_BITS;
        }
        bytes.write((int) rest);
    }

    /** Returns the message so far. */
    byte[] encode() {
        return bytes.toByteArray();
    }
}
