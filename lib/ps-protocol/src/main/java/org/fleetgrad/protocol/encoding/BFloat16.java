package org.fleetgrad.protocol.encoding;

import org.fleetgrad.protocol.tensor.DType;

/**
 * Two bytes per value, the upper half of a float32: 8 significant bits and float32's range, rounded to nearest, ties to
 * even.
 *
 * <p>A finite value that would round to infinity is encoded as the largest bfloat16, 255·2^120; {@link Float16} says
 * why.
 */
public record BFloat16() implements HalfPrecision {

    static final String NAME = "bf16";

    private static final float LARGEST = 255 * 0x1p120f;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public DType dtype() {
        return DType.BF16;
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

    /** Rounds to the nearest bfloat16, ties to even. */
    static short bits(float value) {
        int bits = Float.floatToRawIntBits(value);
        if ((bits & 0x7fffffff) > 0x7f800000) {
            // A NaN stays a NaN, whichever bits of its payload are cut off.
            return (short) (bits >>> 16 | 0x40);
        }
        return (short) ((bits + 0x7fff + (bits >>> 16 & 1)) >>> 16);
    }

    /** Returns the value of a bfloat16. */
    static float value(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }
}
