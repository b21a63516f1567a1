package org.fleetgrad.onnx.file;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A small message of ONNX's format, in memory: field numbers are those of onnx.proto. Not thread-safe. */
final class ProtobufMessage {

    private static final int BUFFER_BYTES = 64;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** Writes a field. */
    @FunctionalInterface
    private interface Field {
        void writeTo(CodedOutputStream out) throws IOException;
    }

    ProtobufMessage integer(int field, long value) {
        return add(out -> out.writeInt64(field, value));
    }

    ProtobufMessage real(int field, float value) {
        return add(out -> out.writeFloat(field, value));
    }

    ProtobufMessage text(int field, String value) {
        return add(out -> out.writeString(field, value));
    }

    ProtobufMessage message(int field, ProtobufMessage value) {
        return add(out -> out.writeByteArray(field, value.encode()));
    }

    private ProtobufMessage add(Field field) {
        try {
            CodedOutputStream out = CodedOutputStream.newInstance(bytes, BUFFER_BYTES);
            field.writeTo(out);
            out.flush();
        } catch (IOException impossible) {
            throw new UncheckedIOException("an array cannot be written to", impossible);
        }
        return this;
    }

    /** Returns the message so far. */
    byte[] encode() {
        return bytes.toByteArray();
    }
}
