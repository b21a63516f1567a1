package org.fleetgrad.e2e.soak;

import java.util.Arrays;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * A small network whose parameters count pushes. They begin as 0, and a gradient is 1 in one place and 0 elsewhere. The learning rate is a
 * power of two, so a value is exact as long as fewer than 2^24 gradients move it: at one a second, half a year.
 */
final class SoakedModel {

    /** So small that the predictions of a long soak stay those of a network that has learned nothing. */
    static final float LEARNING_RATE = 0x1p-20f;

    private static final NetworkDefinition NETWORK = Networks.named("mlp?classes=10&hidden=4&input=1x28x28");
    static final TensorLayout LAYOUT = NETWORK.spec().layout();

    private SoakedModel() {}

    static TensorSet initial() {
        return TensorSet.ofFloats(LAYOUT, new float[size()], NETWORK.spec().metadata());
    }

    private static int size() {
        return Math.toIntExact(LAYOUT.elementCount());
    }

    /** Returns a gradient that counts at a place. */
    static float[] gradient(int place) {
        float[] gradient = new float[size()];
        gradient[place] = 1;
        return gradient;
    }

    /** Returns a gradient of the same value everywhere. */
    static float[] everywhere(float value) {
        float[] gradient = new float[size()];
        Arrays.fill(gradient, value);
        return gradient;
    }

    /** Returns how many gradients count at a place; throws if it is no whole number. */
    static long count(float[] parameters, int place) {
        double count = -parameters[place] / (double) LEARNING_RATE;
        if (count != Math.rint(count)) {
            throw new AssertionError(
                    "value %d is %s, which no number of gradients makes".formatted(place, parameters[place]));
        }
        return (long) count;
    }
}
