package org.fleetgrad.ps.web.exchange;

import java.nio.ByteBuffer;
import java.util.Map;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.ps.web.problem.ProblemKind;
import org.fleetgrad.ps.web.problem.RequestRefused;

/** Refuses tensors with a value that is not finite: it would spread to every parameter in the next steps. */
final class FiniteValues {

    /** The bits of the exponents of two neighbouring values. */
    private static final long EXPONENTS = 0x7f80_0000_7f80_0000L;

    /** Added to an exponent, carries into the sign bit if and only if all bits of the exponent are set. */
    private static final long CARRY = 0x0080_0000_0080_0000L;

    private static final long SIGNS = 0x8000_0000_8000_0000L;

    private FiniteValues() {}

    /** Tells whether all values are finite; the maximum of NaN and anything is NaN. */
    static boolean areIn(float[] values) {
        float largest = 0;
        for (float value : values) {
            largest = Math.max(largest, Math.abs(value));
        }
        return largest <= Float.MAX_VALUE;
    }

    /**
     * Tells whether the first {@code count} float32 values of a little-endian buffer are finite. In infinity and NaN, and
     * in no other value, all bits of the exponent are set. Looking at two values at a time without a branch takes a third
     * of the time of a loop over floats.
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

    /** Makes the refusal, which names the first value that is not finite and its tensor. */
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
