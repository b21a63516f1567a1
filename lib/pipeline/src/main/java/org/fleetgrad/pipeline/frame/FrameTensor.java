package org.fleetgrad.pipeline.frame;

import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * One float32 tensor of a frame. Its values must not change after construction.
 *
 * @param name   what the tensor is, such as {@code activation}
 * @param shape  dimensions, outermost first; the first is the number of samples
 * @param values all values in row-major order, from the buffer's position to its limit
 */
public record FrameTensor(String name, List<Long> shape, FloatBuffer values) {

    public FrameTensor {
        shape = List.copyOf(shape);
        long size = shape.stream().reduce(1L, Math::multiplyExact);
        if (values.remaining() != size) {
            throw new IllegalArgumentException("tensor '%s' of shape %s has %d values, there are %d"
                    .formatted(name, shape, size, values.remaining()));
        }
        values = values.asReadOnlyBuffer();
    }

    /** Returns a tensor over {@code values}, which is not copied. */
    public static FrameTensor of(String name, float[] values, long... shape) {
        return new FrameTensor(name, Arrays.stream(shape).boxed().toList(), FloatBuffer.wrap(values));
    }

    /** Returns a view of the values with an independent position; direct if the buffer was. */
    @Override
    public FloatBuffer values() {
        return values.duplicate();
    }

    /** Returns a copy of the values. */
    public float[] toArray() {
        float[] copy = new float[values.remaining()];
        values().get(copy);
        return copy;
    }

    /** Returns the number of bytes of the values. */
    public long bytes() {
        return (long) values.remaining() * Float.BYTES;
    }
}
