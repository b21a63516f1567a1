package org.fleetgrad.networks.graph;

import java.util.List;
import java.util.Map;

/**
 * The shapes that an operator is checked against.
 *
 * @param inputs  of its operands
 * @param tensors of the network, by name
 * @param samples of the batch
 */
public record OperandShapes(List<List<Long>> inputs, Map<String, List<Long>> tensors, long samples) {

    /** Most dimensions of a value. */
    static final int MOST_DIMENSIONS = 8;

    /** Returns the shape of an operand. */
    List<Long> input(int index) {
        return inputs.get(index);
    }

    /** Returns the shape of the only operand, after a check of its dimensions. */
    List<Long> input(int least, int most) {
        List<Long> input = inputs.get(0);
        require(
                input.size() >= least && input.size() <= most,
                "it takes %d to %d dimensions; it gets %s",
                least,
                most,
                input);
        return input;
    }

    /** Returns the shape of a tensor. */
    List<Long> tensor(String name) {
        List<Long> shape = tensors.get(name);
        require(shape != null, "there is no tensor '%s'", name);
        return List.copyOf(shape);
    }

    /** Checks the shape of a tensor. */
    void requireTensor(String name, List<Long> shape) {
        require(tensor(name).equals(shape), "the tensor '%s' must be %s; it is %s", name, shape, tensor(name));
    }

    /** Checks that a dimension is one of a shape's. */
    static void requireDimension(int dimension, List<Long> shape) {
        require(dimension >= 0 && dimension < shape.size(), "%s has no dimension %d", shape, dimension);
    }

    /** Refuses an operator. */
    @SuppressWarnings("AnnotateFormatMethod")
    static void require(boolean isMet, String message, Object... arguments) {
        if (!isMet) {
            throw new IllegalArgumentException(message.formatted(arguments));
        }
    }

    /** Returns the number of values of a shape. */
    static long count(List<Long> shape) {
        return shape.stream().reduce(1L, Math::multiplyExact);
    }

    /** Returns the shape of two operands that are computed value by value, each repeated where it has a side of 1. */
    List<Long> broadcast() {
        List<Long> a = inputs.get(0);
        List<Long> b = inputs.get(1);
        int size = Math.max(a.size(), b.size());
        Long[] sides = new Long[size];
        for (int i = 1; i <= size; i++) {
            long left = i <= a.size() ? a.get(a.size() - i) : 1;
            long right = i <= b.size() ? b.get(b.size() - i) : 1;
            require(left == right || left == 1 || right == 1, "%s and %s do not fit each other", a, b);
            sides[size - i] = Math.max(left, right);
        }
        return List.of(sides);
    }
}
