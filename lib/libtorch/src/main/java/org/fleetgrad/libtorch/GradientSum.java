package org.fleetgrad.libtorch;

import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import java.nio.FloatBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The sum of the gradients of several passes, each with leaves of its own: g1 + g2 + g3, from the left, as libtorch adds in a
 * leaf. The first one is copied and not added to zeros, so that its bits do not change.
 */
final class GradientSum {

    private final int count;
    private float[] sum = new float[0];
    /** Adding from an array is several times as fast as from a buffer. */
    private final float[] chunk = new float[4096];

    private final float[] ofOther = new float[4096];

    private boolean isEmpty = true;

    GradientSum(int count) {
        this.count = count;
    }

    /**
     * Adds the gradients of leaves after a backward pass, in their order. A leaf may have another use, elsewhere: the gradients
     * of both uses are added first, as libtorch does for two uses in one graph.
     *
     * @param otherAt index of that leaf's first value
     * @param other   gradient of its other use; null for none
     */
    void add(PtNDArray[] leaves, int otherAt, @Nullable FloatBuffer other) {
        float[] unused = values();
        int at = 0;
        for (PtNDArray leaf : leaves) {
            int size = Math.toIntExact(leaf.size());
            try (@Nullable PtNDArray gradient = JniUtils.getGradient(leaf)) {
                if (gradient != null) {
                    add(NativeTensors.values(gradient), at, at == otherAt ? other : null);
                }
            }
            at += size;
        }
        isEmpty = false;
    }

    private void add(FloatBuffer values, int at, @Nullable FloatBuffer other) {
        if (isEmpty && other == null) {
            values.get(sum, at, values.remaining());
            return;
        }
        for (int to = at; values.hasRemaining(); ) {
            int size = Math.min(values.remaining(), chunk.length);
            values.get(chunk, 0, size);
            if (other != null) {
                other.get(ofOther, 0, size);
                add(ofOther, size, chunk, 0);
            }
            if (isEmpty) {
                System.arraycopy(chunk, 0, sum, to, size);
            } else {
                add(chunk, size, sum, to);
            }
            to += size;
        }
    }

    private static void add(float[] values, int size, float[] target, int at) {
        for (int i = 0; i < size; i++) {
            target[at + i] += values[i];
        }
    }

    /** Returns the sum itself, not a copy. The first call allocates its memory, so that a restored stage has none yet. */
    float[] values() {
        if (sum.length != count) {
            sum = new float[count];
        }
        return sum;
    }

    void clear() {
        Arrays.fill(sum, 0);
        isEmpty = true;
    }
}
