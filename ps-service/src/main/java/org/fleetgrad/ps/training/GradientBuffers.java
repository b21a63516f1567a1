package org.fleetgrad.ps.training;

import org.fleetgrad.ps.parameters.Spares;

/** Arrays of one parameter set's size, used again from push to push. Safe from several threads. */
public final class GradientBuffers {

    private static final int SPARE_BUFFERS = 16;

    private final Spares<float[]> spares = new Spares<>(SPARE_BUFFERS);

    /** Returns an array of {@code size} values; what they are is not defined. */
    public float[] take(int size) {
        // Another run's size can only be left over from before that run began.
        return spares.take().filter(buffer -> buffer.length == size).orElseGet(() -> new float[size]);
    }

    /** Takes an array back. */
    public void giveBack(float[] buffer) {
        spares.giveBack(buffer);
    }
}
