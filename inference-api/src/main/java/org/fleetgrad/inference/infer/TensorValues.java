package org.fleetgrad.inference.infer;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.fleetgrad.files.text.Printable;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The values of an input, in order, of whatever datatype it states. */
final class TensorValues {

    private static final int DEEPEST = 4;

    private TensorValues() {}

    /** Takes each value with its place in the input. */
    @FunctionalInterface
    interface Taker {

        void take(int index, @Nullable Object value);
    }

    /** Returns the datatype of an input, which must be one of some. */
    static Datatype type(InferInput input, List<Datatype> allowed) {
        return Arrays.stream(Datatype.values())
                .filter(type -> type.name().equals(input.datatype()) && allowed.contains(type))
                .findFirst()
                .orElseThrow(() -> InferReader.malformed("the datatype of the input '%s' is %s; it is '%s'"
                        .formatted(
                                Printable.text(input.name()),
                                allowed.stream().map(Datatype::name).collect(Collectors.joining(" or ")),
                                Printable.text(input.datatype()))));
    }

    /** Returns a value that is a number as float32. */
    static float number(Object value) {
        return (float) wide(value);
    }

    /** Returns a value that is a number. */
    static double wide(Object value) {
        return value instanceof JsonNode node ? node.asDouble() : ((Number) value).doubleValue();
    }

    /** Reads exactly {@code count} values of an input; those of JSON are nodes. */
    static void read(InferInput input, Datatype type, int count, Taker taker) {
        int found;
        if (input.content() instanceof InferInput.Binary binary) {
            found = binary(input, type, count, binary.data(), taker);
        } else if (input.content() instanceof InferInput.Values values) {
            found = values.count();
            for (int i = 0; i < Math.min(found, count); i++) {
                taker.take(i, Datatype.present(values.at().apply(i)));
            }
        } else {
            found = json(input, type, json(input), count, 0, 1, taker);
        }
        if (found != count) {
            throw InferReader.malformed("the input '%s' of the shape %s has %d values, its data has %d"
                    .formatted(Printable.text(input.name()), input.shape(), count, found));
        }
    }

    /** Checks that an input has values at all. */
    static void requireData(InferInput input) {
        if (input.content() instanceof InferInput.Json || input.content() instanceof InferInput.None) {
            Object unused = json(input);
        }
    }

    private static JsonNode json(InferInput input) {
        if (input.content() instanceof InferInput.Json json) {
            return json.data();
        }
        int following = input.content() instanceof InferInput.None none ? none.following() : 0;
        throw InferReader.malformed(
                "the input '%s' needs 'data', an array, or the parameter '%s'; %d bytes follow the JSON"
                        .formatted(Printable.text(input.name()), InferReader.BINARY_SIZE, following));
    }

    private static int binary(InferInput input, Datatype type, int count, ByteBuffer bytes, Taker taker) {
        ByteBuffer data = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        int found = 0;
        try {
            for (; found < count && data.hasRemaining(); found++) {
                taker.take(found, type.next(data));
            }
        } catch (BufferUnderflowException tooShort) {
            throw InferReader.malformed("value %d of the input '%s' of type %s ends after the %d bytes of the input"
                    .formatted(found, Printable.text(input.name()), type, bytes.remaining()));
        } catch (CharacterCodingException noText) {
            throw InferReader.malformed(
                    "value %d of the input '%s' is not UTF-8".formatted(found, Printable.text(input.name())));
        }
        if (data.hasRemaining()) {
            throw InferReader.malformed(
                    "the input '%s' of the shape %s has %d values of type %s in %d bytes; stated are %d bytes"
                            .formatted(
                                    Printable.text(input.name()),
                                    input.shape(),
                                    count,
                                    type,
                                    data.position(),
                                    bytes.remaining()));
        }
        return found;
    }

    /** Takes the values of an array and returns how many there are so far, including those beyond the expected count. */
    private static int json(
            InferInput input, Datatype type, JsonNode array, int count, int from, int depth, Taker taker) {
        int at = from;
        for (JsonNode value : array) {
            if (value.isArray() && depth < DEEPEST) {
                at = json(input, type, value, count, at, depth + 1, taker);
                continue;
            }
            if (!type.is(value)) {
                throw InferReader.malformed("value %d of the input '%s' of type %s is %s"
                        .formatted(at, Printable.text(input.name()), type, Printable.text(value.toString())));
            }
            if (at < count) {
                taker.take(at, value.isNull() ? null : value);
            }
            at++;
        }
        return at;
    }
}
