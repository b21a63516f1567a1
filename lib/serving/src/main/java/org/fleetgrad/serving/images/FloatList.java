package org.fleetgrad.serving.images;

import java.util.Arrays;

/** A list of floats that grows while it is read. */
final class FloatList {

    private float[] values = new float[1024];
    private int size;

    void add(float value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
        }
        values[size++] = value;
    }

    float[] toArray() {
        return Arrays.copyOf(values, size);
    }
}
