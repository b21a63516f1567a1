package org.fleetgrad.pipeline.frame;

import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * The float32 tensor of one micro-batch that crosses one border between stages. A gradient's frame has the shape of the
 * activation's frame. Immutable: the values must not change after construction.
 *
 * @param direction  whether these are activations or their gradients
 * @param microBatch the micro-batch's place in the run, from 0
 * @param shape      dimensions, outermost first; the first is the number of samples
 * @param values     all values in row-major order, from the buffer's position to its limit
 */
public record Frame(Direction direction, long microBatch, List<Long> shape, FloatBuffer values) {

    public Frame {
        shape = List.copyOf(shape);
        long size = shape.stream().reduce(1L, Math::multiplyExact);
        if (values.remaining() != size) {
            throw new IllegalArgumentException("the frame of micro-batch %d of shape %s has %d values, there are %d"
                    .formatted(microBatch, shape, size, values.remaining()));
        }
        values = values.asReadOnlyBuffer();
    }

    /** Returns a frame of activations, over {@code values}, which are not copied. */
    public static Frame activation(long microBatch, float[] values, long... shape) {
        return of(Direction.FORWARD, microBatch, values, shape);
    }

    /** Returns a frame of gradients, over {@code values}, which are not copied. */
    public static Frame gradient(long microBatch, float[] values, long... shape) {
        return of(Direction.BACKWARD, microBatch, values, shape);
    }

    private static Frame of(Direction direction, long microBatch, float[] values, long... shape) {
        return new Frame(direction, microBatch, Arrays.stream(shape).boxed().toList(), FloatBuffer.wrap(values));
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

    /** The direction of a frame. */
    public enum Direction {
        /** Activations, from a stage to the one after it. */
        FORWARD,
        /** Gradients of the loss with respect to these activations, from a stage to the one before it. */
        BACKWARD
    }
}
