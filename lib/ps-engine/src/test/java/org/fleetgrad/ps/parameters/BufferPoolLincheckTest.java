package org.fleetgrad.ps.parameters;

import org.fleetgrad.ps.Interleavings;
import org.jetbrains.lincheck.datastructures.BooleanGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * Nobody gets a buffer that another one still uses, and the pool neither retains more than it may nor forgets what it could retain. Whether a
 * buffer is reused while others come and go is left open: the pool may allocate one.
 */
public class BufferPoolLincheckTest {

    private static final int SPARE = 1;
    private static final int LENGTH = 2;
    /** Place of 1 while somebody has the buffer. */
    private static final int USED = 0;
    /** Place of 1 in a buffer that was given back before. */
    private static final int SEEN = 1;

    private final BufferPool<float[]> pool = BufferPool.ofFloats(SPARE);
    private volatile boolean isShared;

    @Operation
    public void use(@Param(gen = BooleanGen.class, conf = "") boolean isTwice) {
        float[] one = take();
        if (isTwice) {
            giveBack(take());
        }
        giveBack(one);
    }

    private float[] take() {
        float[] buffer = pool.take(LENGTH);
        isShared |= buffer[USED] != 0;
        buffer[USED] = 1;
        return buffer;
    }

    private void giveBack(float[] buffer) {
        isShared |= buffer[USED] != 1;
        buffer[USED] = 0;
        buffer[SEEN] = 1;
        pool.release(buffer);
    }

    @Validate
    public void requireSound() {
        if (isShared) {
            throw new IllegalStateException("two threads had one buffer");
        }
        float[][] released = new float[SPARE + 1][];
        int retained = 0;
        for (int i = 0; i <= SPARE; i++) {
            released[i] = pool.take(LENGTH);
            retained += released[i][SEEN] == 1 ? 1 : 0;
        }
        for (float[] buffer : released) {
            pool.release(buffer);
        }
        int reused = 0;
        for (int i = 0; i <= SPARE; i++) {
            float[] again = pool.take(LENGTH);
            for (float[] buffer : released) {
                reused += buffer == again ? 1 : 0;
            }
        }
        if (retained > SPARE || reused != SPARE) {
            throw new IllegalStateException("the pool retained " + retained + ", and then " + reused);
        }
    }

    @Test
    void shouldGiveEachBufferToOneAndRetainAsManyAsItMay() {
        Interleavings.checkInvariants(BufferPoolLincheckTest.class, 400);
    }
}
