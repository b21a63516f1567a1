package org.fleetgrad.libtorch;

import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import java.nio.FloatBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The sum of the gradients of several passes, each with leaves of its own: g1 + g2 + g3, from the left, as libtorch adds in
 * a leaf. The first one is copied and not added to zeros, so that its bits stay.
 */
final class GradientSum {

    private final float[] sum;
    /** Adding from an array is several times as fast as from a buffer. */
    private final float[] chunk = new float[4096];

    private boolean isEmpty = true;

    GradientSum(int count) {
        this.sum = new float[count];
    }

    /** Adds the gradients of leaves that went backward, in their order. */
    void add(PtNDArray[] leaves) {
        int at = 0;
        for (PtNDArray leaf : leaves) {
            int count = Math.toIntExact(leaf.size());
            try (@Nullable PtNDArray gradient = JniUtils.getGradient(leaf)) {
                if (gradient != null) {
                    add(NativeTensors.values(gradient), at);
                }
            }
            at += count;
        }
        isEmpty = false;
    }

    private void add(FloatBuffer values, int at) {
        if (isEmpty) {
            values.get(sum, at, values.remaining());
            return;
        }
        for (int to = at; values.hasRemaining(); ) {
            int count = Math.min(values.remaining(), chunk.length);
            values.get(chunk, 0, count);
            for (int i = 0; i < count; i++) {
                sum[to++] += chunk[i];
            }
        }
    }

    void read(float[] target) {
        if (target.length != sum.length) {
            throw new IllegalArgumentException(
                    "the gradient has %d values, the target %d".formatted(sum.length, target.length));
        }
        System.arraycopy(sum, 0, target, 0, sum.length);
    }

    void clear() {
        Arrays.fill(sum, 0);
        isEmpty = true;
    }
}
