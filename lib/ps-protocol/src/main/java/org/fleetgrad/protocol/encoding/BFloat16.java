package org.fleetgrad.protocol.encoding;

import java.nio.ByteBuffer;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * Two bytes per value, the upper half of a float32: 8 significant bits and float32's range, rounded to nearest, ties to
 * even.
 *
 * <p>A finite value that would round to infinity is encoded as the largest bfloat16, 255·2^120; {@link Float16} says
 * why.
 */
public record BFloat16() implements ParameterEncoding {

    static final String NAME = "bf16";

    private static final float LARGEST = 255 * 0x1p120f;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public TensorLayout wireLayout(TensorLayout layout) {
        return TwoBytes.layout(layout, DType.BF16);
    }

    @Override
    public TensorLayout plainLayout(TensorLayout wire) {
        return TwoBytes.layout(wire, DType.F32);
    }

    @Override
    public void encode(TensorLayout layout, float[] values, ByteBuffer wire) {
        TwoBytes.encode(values, wire, (chunk, count, from) -> {
            for (int i = 0; i < count; i++) {
                float value = values[from + i];
                short bits = bits(Math.max(-LARGEST, Math.min(LARGEST, value)));
                chunk[i] = bits;
                values[from + i] = value - value(bits);
            }
        });
    }

    @Override
    public void decode(TensorLayout layout, TensorSet wire, float[] values) {
        TwoBytes.decode(layout, wire, values, (chunk, count, from) -> {
            for (int i = 0; i < count; i++) {
                values[from + i] = value(chunk[i]);
            }
        });
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
