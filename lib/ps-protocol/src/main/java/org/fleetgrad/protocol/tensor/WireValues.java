package org.fleetgrad.protocol.tensor;

import java.util.Optional;

/**
 * The values that parameters and gradients may have on the wire: finite and below 2^32 in magnitude. No training that
 * converges comes near. With the bound, the mean of a thousand gradients of as many samples as metadata may state, a
 * gradient's square in Adam or in delay compensation, and millions of steps stay finite in float32; without it two
 * finite gradients are enough to make parameters infinite. Stateless.
 */
public final class WireValues {

    /** The magnitude from which a value is refused. */
    public static final float LIMIT = 0x1p32f;

    private static final String TOO_LARGE =
            "; values must be smaller than %.0f in size, or sums of them overflow".formatted(LIMIT);

    private WireValues() {}

    /** Returns whether a value is finite and smaller than {@link #LIMIT} in magnitude. */
    public static boolean isAllowed(float value) {
        return Math.abs(value) < LIMIT;
    }

    /**
     * A value that is not allowed.
     *
     * @param index of the value in its tensor, which has {@code count}
     */
    public record Refused(String tensor, int index, long count, float value) {

        /** Returns the numbers in a sentence. */
        public String message() {
            return "value %d of %d of tensor '%s' is %s%s"
                    .formatted(index, count, tensor, value, Float.isFinite(value) ? TOO_LARGE : "");
        }
    }

    /** Returns the first value that is not allowed; empty if all are. */
    public static Optional<Refused> firstRefused(TensorLayout layout, float[] values) {
        int from = 0;
        for (TensorSpec spec : layout.specs()) {
            long count = spec.elementCount();
            int to = from + (int) count;
            for (int i = from; i < to; i++) {
                if (!isAllowed(values[i])) {
                    return Optional.of(new Refused(spec.name(), i - from, count, values[i]));
                }
            }
            from = to;
        }
        return Optional.empty();
    }
}
