package org.fleetgrad.protocol.encoding;

import org.fleetgrad.protocol.tensor.DType;

/**
 * Two bytes per value, IEEE 754 binary16: 11 significant bits, from 2^-24 to 65504, rounded to nearest, ties to even.
 *
 * <p>A finite value beyond ±65504 is encoded as ±65504: with error feedback the remainder of a gradient follows later,
 * and in parameters the nearest value does less harm than an infinity, which would end the training. The formulas are
 * those of <a href="https://gist.github.com/rygorous/2156668">F. Giesen's conversions</a>.
 */
public record Float16() implements HalfPrecision {

    static final String NAME = "f16";

    private static final float LARGEST = 65504f;
    private static final int SIGN = 0x8000;
    private static final int INFINITY = 0x7c00;
    private static final int FLOAT_INFINITY = 0x7f800000;
    /** 2^16: any value from here on becomes infinite. */
    private static final int OVERFLOW = 143 << 23;
    /** 2^-14, below which binary16 is subnormal. */
    private static final int SMALLEST_NORMAL = 113 << 23;
    /** 2^-1: added to a value below 2^-14, it makes the float unit round to multiples of 2^-24. */
    private static final int ALIGNMENT = 126 << 23;
    /** Biases of the exponents are 127 and 15. */
    private static final int REBIAS = (15 - 127) << 23;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public DType dtype() {
        return DType.F16;
    }

    @Override
    public void encodeChunk(float[] values, int from, int count, short[] chunk) {
        for (int i = 0; i < count; i++) {
            float value = values[from + i];
            short bits = bits(Math.max(-LARGEST, Math.min(LARGEST, value)));
            chunk[i] = bits;
            values[from + i] = value - value(bits);
        }
    }

    @Override
    public void decodeChunk(short[] chunk, int count, float[] values, int from) {
        for (int i = 0; i < count; i++) {
            values[from + i] = value(chunk[i]);
        }
    }

    /** Rounds to the nearest binary16, ties to even; beyond 65520 that is infinity. */
    static short bits(float value) {
        int bits = Float.floatToRawIntBits(value);
        int sign = bits >>> 16 & SIGN;
        int magnitude = bits & 0x7fffffff;
        int half;
        if (magnitude >= OVERFLOW) {
            // A NaN stays a NaN, whichever bits of its payload are cut off.
            half = magnitude > FLOAT_INFINITY ? INFINITY | 0x200 | (magnitude >>> 13 & 0x3ff) : INFINITY;
        } else if (magnitude < SMALLEST_NORMAL) {
            half = Float.floatToRawIntBits(Float.intBitsToFloat(magnitude) + Float.intBitsToFloat(ALIGNMENT))
                    - ALIGNMENT;
        } else {
            int isOdd = magnitude >>> 13 & 1;
            half = (magnitude + REBIAS + 0xfff + isOdd) >>> 13;
        }
        return (short) (sign | half);
    }

    /** Returns the value of a binary16, which float32 always holds exactly. */
    static float value(short bits) {
        int magnitude = (bits & 0x7fff) << 13;
        int sign = (bits & SIGN) << 16;
        if ((bits & INFINITY) == INFINITY) {
            return Float.intBitsToFloat(sign | FLOAT_INFINITY | magnitude);
        }
        // 2^112 shifts the exponent from one bias to the other, and makes subnormals normal.
        return Float.intBitsToFloat(sign | Float.floatToRawIntBits(Float.intBitsToFloat(magnitude) * 0x1p112f));
    }
}
