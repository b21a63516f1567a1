package org.fleetgrad.ps.web;

import java.util.Map;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSpec;

/** Refuses tensors with values that are not finite: one of them would be in every parameter after the next step. */
final class FiniteValues {

    private static final int MAGNITUDE = 0x7fffffff;
    private static final int LARGEST_FINITE = Float.floatToRawIntBits(Float.MAX_VALUE);

    private FiniteValues() {}

    /** The bits of |x| order as x does, and every finite x lies below infinity: an OR of differences needs no branch. */
    static boolean areIn(float[] values, int from, int to) {
        int anyNegative = 0;
        for (int i = from; i < to; i++) {
            anyNegative |= LARGEST_FINITE - (Float.floatToRawIntBits(values[i]) & MAGNITUDE);
        }
        return anyNegative >= 0;
    }

    /** Refuses values that are not finite, naming the first with its tensor. */
    static void require(TensorLayout layout, float[] values) {
        if (!areIn(values, 0, values.length)) {
            throw refusal(layout, values);
        }
    }

    /** Makes the refusal of values of which one is not finite. */
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
