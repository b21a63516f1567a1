package org.fleetgrad.ps.web;

import java.nio.ByteBuffer;
import java.util.Map;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;

/** Refuses tensors with values that are not finite: one of them would be in every parameter after the next step. */
final class FiniteValues {

    /** The exponents of two values side by side. */
    private static final long EXPONENTS = 0x7f80_0000_7f80_0000L;

    /** Carries an exponent whose bits are all set, and no other, into the bit of the sign. */
    private static final long CARRY = 0x0080_0000_0080_0000L;

    private static final long SIGNS = 0x8000_0000_8000_0000L;

    private FiniteValues() {}

    /** Tells whether all are finite. The larger of NaN and anything is NaN. */
    static boolean areIn(float[] values) {
        float largest = 0;
        for (float value : values) {
            largest = Math.max(largest, Math.abs(value));
        }
        return largest <= Float.MAX_VALUE;
    }

    /**
     * Tells whether the first {@code count} float32 values of a little-endian buffer are finite. Infinity and NaN are the
     * values whose exponent has all bits set; two at a time and without a branch, this takes a third of the time of looking
     * at floats.
     */
    static boolean areIn(ByteBuffer bytes, int count) {
        long carried = 0;
        int pairs = count / 2;
        for (int i = 0; i < pairs; i++) {
            carried |= (bytes.getLong(i * Long.BYTES) & EXPONENTS) + CARRY;
        }
        boolean isOddFinite = count % 2 == 0 || Float.isFinite(bytes.getFloat((count - 1) * Float.BYTES));
        return (carried & SIGNS) == 0 && isOddFinite;
    }

    /** Makes the refusal of values of which one is not finite, naming the first with its tensor. */
    static RequestRefused refusal(TensorLayout layout, float[] values) {
        int from = 0;
        for (TensorSpec spec : layout.specs()) {
            int to = from + (int) spec.elementCount();
            for (int i = from; i < to; i++) {
                if (!Float.isFinite(values[i])) {
                    return new RequestRefused(
                            ProblemKind.NOT_FINITE,
                            "value %d of %d of tensor '%s' is %s"
                                    .formatted(i - from, spec.elementCount(), spec.name(), values[i]),
                            Map.of("tensor", spec.name(), "index", i - from));
                }
            }
            from = to;
        }
        throw new IllegalStateException("all %d values are finite".formatted(values.length));
    }
}
