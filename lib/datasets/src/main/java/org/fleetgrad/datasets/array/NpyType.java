package org.fleetgrad.datasets.array;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The type of an array's elements, as NumPy's files state it: {@code <f4}, {@code >i8}, {@code |b1}.
 *
 * @param kind  a floating-point number, a whole one with or without a sign, or true and false
 * @param bytes of an element
 * @param order of the bytes
 */
record NpyType(Kind kind, int bytes, ByteOrder order) {

    /** The types that are read, for messages. */
    static final String LIST = "f2, f4, f8, i1, i2, i4, i8, u1, u2, u4, u8 and b1";

    private static final Pattern FORM = Pattern.compile("([<>|=])(f[248]|[iu][1248]|b1)");

    private static final int HALF_FRACTION_BITS = 10;
    private static final int HALF_FRACTION = 0x3ff;
    private static final int HALF_EXPONENT = 0x1f;
    private static final int HALF_BIAS = 15;

    /** What an element is. */
    enum Kind {
        FLOAT,
        SIGNED,
        UNSIGNED,
        BOOLEAN
    }

    /** Reads a description; empty if elements of this type are not read. */
    static Optional<NpyType> of(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        int bytes = matcher.group(2).charAt(1) - '0';
        char order = matcher.group(1).charAt(0);
        if (order == '|' && bytes > 1) {
            return Optional.empty();
        }
        Kind kind = switch (matcher.group(2).charAt(0)) {
            case 'f' -> Kind.FLOAT;
            case 'i' -> Kind.SIGNED;
            case 'u' -> Kind.UNSIGNED;
            default -> Kind.BOOLEAN;
        };
        // NumPy writes '=' in no file; it would be the order of the machine that wrote it, of which all are
        // little-endian now.
        return Optional.of(new NpyType(kind, bytes, order == '>' ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN));
    }

    /** Returns an element as a number; whole numbers beyond 2^53 are rounded. */
    double read(ByteBuffer buffer, int at) {
        return switch (kind) {
            case FLOAT ->
                switch (bytes) {
                    case 2 -> half(buffer.getShort(at));
                    case 4 -> buffer.getFloat(at);
                    default -> buffer.getDouble(at);
                };
            case SIGNED -> signed(buffer, at);
            case UNSIGNED -> unsigned(buffer, at);
            case BOOLEAN -> buffer.get(at) == 0 ? 0 : 1;
        };
    }

    private long signed(ByteBuffer buffer, int at) {
        return switch (bytes) {
            case 1 -> buffer.get(at);
            case 2 -> buffer.getShort(at);
            case 4 -> buffer.getInt(at);
            default -> buffer.getLong(at);
        };
    }

    private double unsigned(ByteBuffer buffer, int at) {
        long value = signed(buffer, at);
        if (bytes < Long.BYTES) {
            return value & ((1L << (bytes * Byte.SIZE)) - 1);
        }
        // The two halves are exact, and their sum is rounded once.
        return (value >>> Integer.SIZE) * 0x1p32 + (value & 0xffff_ffffL);
    }

    /** IEEE 754's binary16; Java 17 has no call for it. */
    private static double half(short bits) {
        int exponent = (bits >> HALF_FRACTION_BITS) & HALF_EXPONENT;
        int fraction = bits & HALF_FRACTION;
        double size;
        if (exponent == HALF_EXPONENT) {
            size = fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
        } else if (exponent == 0) {
            size = Math.scalb((double) fraction, 1 - HALF_BIAS - HALF_FRACTION_BITS);
        } else {
            size = Math.scalb(
                    (double) (fraction | (1 << HALF_FRACTION_BITS)), exponent - HALF_BIAS - HALF_FRACTION_BITS);
        }
        return bits < 0 ? -size : size;
    }

    /** Returns whether elements are whole numbers, or true and false. */
    boolean isWhole() {
        return kind != Kind.FLOAT;
    }

    @Override
    public String toString() {
        return switch (kind) {
            case BOOLEAN -> "bool";
            case FLOAT -> "float" + bytes * Byte.SIZE;
            case SIGNED -> "int" + bytes * Byte.SIZE;
            case UNSIGNED -> "uint" + bytes * Byte.SIZE;
        };
    }
}
