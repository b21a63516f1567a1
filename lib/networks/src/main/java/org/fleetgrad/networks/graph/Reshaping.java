package org.fleetgrad.networks.graph;

import java.util.ArrayList;
import java.util.List;

/** Operators that compute nothing: they arrange values. */
public sealed interface Reshaping extends Operation {

    /** The same values with other sides. */
    record Reshape(List<Size> sizes) implements Reshaping {

        @Override
        public List<Long> output(OperandShapes shapes) {
            List<Long> output = resolved(sizes, shapes.samples());
            OperandShapes.require(
                    OperandShapes.count(output) == OperandShapes.count(shapes.input(0)),
                    "%s cannot be reshaped to %s",
                    shapes.input(0),
                    output);
            return output;
        }
    }

    /** Repeats what has a side of 1. */
    record Expand(List<Size> sizes) implements Reshaping {

        @Override
        public List<Long> output(OperandShapes shapes) {
            List<Long> output = resolved(sizes, shapes.samples());
            OperandShapes.require(
                    new OperandShapes(List.of(shapes.input(0), output), shapes.tensors(), 1)
                            .broadcast()
                            .equals(output),
                    "%s cannot be expanded to %s",
                    shapes.input(0),
                    output);
            return output;
        }
    }

    /** Dimensions in another order. */
    record Permute(List<Integer> dimensions) implements Reshaping {

        @Override
        public List<Long> output(OperandShapes shapes) {
            List<Long> input = shapes.input(0);
            OperandShapes.require(
                    dimensions.size() == input.size()
                            && dimensions.stream().distinct().count() == input.size()
                            && dimensions.stream().allMatch(each -> each >= 0 && each < input.size()),
                    "%s are not the dimensions of %s",
                    dimensions,
                    input);
            return dimensions.stream().map(input::get).toList();
        }
    }

    /** A part of a dimension: from {@code start} to before {@code end}, each {@code step}-th. */
    record Slice(int dimension, int start, int end, int step) implements Reshaping {

        @Override
        public List<Long> output(OperandShapes shapes) {
            List<Long> input = shapes.input(0);
            OperandShapes.requireDimension(dimension, input);
            OperandShapes.require(
                    start >= 0 && start < end && end <= input.get(dimension) && step >= 1,
                    "%s has no part from %d to before %d, step %d, of the dimension %d",
                    input,
                    start,
                    end,
                    step,
                    dimension);
            List<Long> output = new ArrayList<>(input);
            output.set(dimension, (end - start - 1L) / step + 1);
            return output;
        }
    }

    /** Operands one after the other in a dimension. */
    record Cat(int dimension) implements Reshaping {

        @Override
        public Operands operands() {
            return new Operands(1, Graph.MOST_NODES);
        }

        @Override
        public List<Long> output(OperandShapes shapes) {
            List<Long> output = new ArrayList<>(shapes.input(0));
            OperandShapes.requireDimension(dimension, output);
            for (List<Long> next : shapes.inputs().subList(1, shapes.inputs().size())) {
                List<Long> same = new ArrayList<>(next);
                OperandShapes.require(next.size() == output.size(), "%s cannot follow %s", next, output);
                same.set(dimension, output.get(dimension));
                OperandShapes.require(
                        same.equals(output), "%s cannot follow %s in dimension %d", next, output, dimension);
                output.set(dimension, Math.addExact(output.get(dimension), next.get(dimension)));
            }
            return output;
        }
    }

    /**
     * Adds a value around.
     *
     * @param sides before and after, from the last dimension on, as PyTorch counts them
     */
    record Pad(List<Integer> sides, double value) implements Reshaping {

        @Override
        public List<Long> output(OperandShapes shapes) {
            List<Long> output = new ArrayList<>(shapes.input(0));
            OperandShapes.require(
                    sides.size() % 2 == 0 && sides.size() / 2 < output.size(),
                    "the padding %s does not fit %s",
                    sides,
                    output);
            for (int i = 0; i < sides.size() / 2; i++) {
                int at = output.size() - 1 - i;
                output.set(at, output.get(at) + sides.get(2 * i) + sides.get(2 * i + 1));
            }
            return output;
        }
    }

    /**
     * Rows of a value or a tensor, in the order of a table that has their places in the first dimension. A row may be there several times.
     */
    record Rows(Table places) implements Reshaping {

        @Override
        public List<Long> output(OperandShapes shapes) {
            List<Long> output = new ArrayList<>(shapes.input(1, OperandShapes.MOST_DIMENSIONS));
            OperandShapes.require(
                    places.isPlacesOf(output.get(0)),
                    "the table has other numbers than places of the rows of %s",
                    output);
            output.set(0, (long) places.size());
            return output;
        }
    }

    /**
     * Values that are always the same.
     *
     * @param shape  whose values are those of {@code table}
     */
    record Constant(List<Long> shape, Table table) implements Reshaping {

        @Override
        public Operands operands() {
            return Operands.NONE;
        }

        @Override
        public List<Long> output(OperandShapes shapes) {
            OperandShapes.require(
                    OperandShapes.count(shape) == table.size(),
                    "a constant of the shape %s has %d values",
                    shape,
                    table.size());
            return shape;
        }
    }

    private static List<Long> resolved(List<Size> sizes, long samples) {
        return sizes.stream().map(size -> size.of(samples)).toList();
    }
}
