package org.fleetgrad.pipeline.frame;

import java.util.List;

/**
 * The tensors of one micro-batch that cross one border between stages. A gradient's frame has the tensors of the
 * activation's frame, with the same names, shapes and order. Immutable.
 *
 * @param direction  whether these are activations or their gradients
 * @param microBatch the micro-batch's place in the run, from 0
 * @param tensors    one or more
 */
public record Frame(Direction direction, long microBatch, List<FrameTensor> tensors) {

    public Frame {
        tensors = List.copyOf(tensors);
        if (tensors.isEmpty()) {
            throw new IllegalArgumentException(
                    "a frame needs a tensor; that of micro-batch %d (%s) has none".formatted(microBatch, direction));
        }
    }

    /** Returns a frame of one activation. */
    public static Frame activation(long microBatch, FrameTensor tensor) {
        return new Frame(Direction.FORWARD, microBatch, List.of(tensor));
    }

    /** Returns a frame of one activation's gradient. */
    public static Frame gradient(long microBatch, FrameTensor tensor) {
        return new Frame(Direction.BACKWARD, microBatch, List.of(tensor));
    }

    /** Returns the only tensor. */
    public FrameTensor tensor() {
        if (tensors.size() != 1) {
            throw new IllegalStateException("the frame of micro-batch %d (%s) has %d tensors and not one"
                    .formatted(microBatch, direction, tensors.size()));
        }
        return tensors.get(0);
    }

    /** Returns the number of bytes of all values. */
    public long bytes() {
        return tensors.stream().mapToLong(FrameTensor::bytes).sum();
    }

    /** The direction of a frame. */
    public enum Direction {
        /** Activations, from a stage to the one after it. */
        FORWARD,
        /** Gradients of the loss with respect to these activations, from a stage to the one before it. */
        BACKWARD
    }
}
