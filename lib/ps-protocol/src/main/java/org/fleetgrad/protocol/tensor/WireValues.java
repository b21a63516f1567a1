package org.fleetgrad.protocol.tensor;

/**
 * The values that parameters and gradients may have on the wire: finite and below 2^32 in magnitude. No training that
 * converges comes near. With the bound, the mean of a thousand gradients of as many samples as metadata may state, a
 * gradient's square in Adam or in delay compensation, and millions of steps stay finite in float32; without it two
 * finite gradients are enough to make parameters infinite. Stateless.
 */
public final class WireValues {

    /** The magnitude from which a value is refused. */
    public static final float LIMIT = 0x1p32f;

    private WireValues() {}

    /** Returns whether a value is finite and smaller than {@link #LIMIT} in magnitude. */
    public static boolean isAllowed(float value) {
        return Math.abs(value) < LIMIT;
    }
}
