package org.fleetgrad.inference.infer;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The datatypes of values, in the words of the Open Inference Protocol. */
enum Datatype {
    UINT8,
    FP32,
    FP64,
    INT32,
    INT64,
    BOOL,
    BYTES;

    /** Returns the value that comes next in little-endian bytes; null is missing, as NaN is. */
    @Nullable
    Object next(ByteBuffer data) throws CharacterCodingException {
        return switch (this) {
            case UINT8 -> Byte.toUnsignedInt(data.get());
            case FP32 -> present(data.getFloat());
            case FP64 -> present(data.getDouble());
            case INT32 -> data.getInt();
            case INT64 -> data.getLong();
            case BOOL -> data.get() != 0;
            case BYTES -> text(data);
        };
    }

    /** Returns a value, or null if it is missing, as NaN is. */
    static @Nullable Object present(Object value) {
        boolean isMissing = (value instanceof Float one && Float.isNaN(one))
                || (value instanceof Double other && Double.isNaN(other));
        return isMissing ? null : value;
    }

    private static String text(ByteBuffer data) throws CharacterCodingException {
        int length = data.getInt();
        if (length < 0 || length > data.remaining()) {
            throw new BufferUnderflowException();
        }
        ByteBuffer own = data.slice(data.position(), length);
        data.position(data.position() + length);
        return StandardCharsets.UTF_8.newDecoder().decode(own).toString();
    }

    /** Returns whether a value of JSON is one; null is missing. */
    boolean is(JsonNode value) {
        return switch (this) {
            case FP32, FP64 -> value.isNumber() || value.isNull();
            case UINT8, INT32, INT64 -> value.isIntegralNumber() || value.isNull();
            case BOOL -> value.isBoolean() || value.isNull();
            case BYTES -> value.isString() || value.isNull();
        };
    }
}
