package org.fleetgrad.ps.training;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/** Arrays of one parameter set's size, used again from push to push. Safe from several threads. */
public final class GradientBuffers {

    private static final int SPARE_BUFFERS = 16;

    private final ConcurrentLinkedDeque<float[]> spare = new ConcurrentLinkedDeque<>();
    private final AtomicInteger spares = new AtomicInteger();

    /** Returns an array of {@code size} values; what they are is not defined. */
    public float[] take(int size) {
        float[] buffer = spare.poll();
        if (buffer == null) {
            return new float[size];
        }
        spares.decrementAndGet();
        // Another run's size can only be left over from before that run began.
        return buffer.length == size ? buffer : new float[size];
    }

    /** Takes an array back. */
    public void giveBack(float[] buffer) {
        if (spares.incrementAndGet() <= SPARE_BUFFERS) {
            spare.push(buffer);
        } else {
            spares.decrementAndGet();
        }
    }
}
