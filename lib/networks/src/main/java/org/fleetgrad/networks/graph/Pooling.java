package org.fleetgrad.networks.graph;

import java.util.ArrayList;
import java.util.List;

/** Operators that make one value of several: of windows, or of whole dimensions. */
public sealed interface Pooling extends Operation {

    /** What becomes of the values. */
    enum Kind {
        AMAX,
        MEAN,
        NORM,
        SUM
    }

    /**
     * The greatest or the mean value of each window over the last one or two dimensions.
     *
     * @param isMean         whether it is the mean
     * @param kernel         sides of a window, as are stride and padding
     * @param isCeil         whether a window that is only partly within counts
     * @param countsPadding  whether the mean counts the padding
     */
    record Window(
            boolean isMean,
            List<Integer> kernel,
            List<Integer> stride,
            List<Integer> padding,
            boolean isCeil,
            boolean countsPadding)
            implements Pooling {

        @Override
        public List<Long> output(OperandShapes shapes) {
            int sides = kernel.size();
            OperandShapes.require(
                    (sides == 1 || sides == 2) && stride.size() == sides && padding.size() == sides,
                    "a pooling needs 1 or 2 sides of a window, strides and paddings; they are %s, %s, %s",
                    kernel,
                    stride,
                    padding);
            List<Long> input = shapes.input(sides + 2, sides + 2);
            List<Long> output = new ArrayList<>(input.subList(0, 2));
            for (int i = 0; i < sides; i++) {
                OperandShapes.require(
                        2 * padding.get(i) <= kernel.get(i),
                        "the padding %s is more than half of the window %s",
                        padding,
                        kernel);
                output.add(places(input.get(i + 2), kernel.get(i), stride.get(i), padding.get(i), isCeil, input));
            }
            return output;
        }
    }

    /**
     * Means, or greatest values, of as many windows as {@code sides} says, whatever the size of the input.
     *
     * @param isMean whether it is the mean
     */
    record Adaptive(boolean isMean, List<Integer> sides) implements Pooling {

        @Override
        public List<Long> output(OperandShapes shapes) {
            OperandShapes.require(sides.size() == 1 || sides.size() == 2, "a pooling has 1 or 2 sides, not %s", sides);
            List<Long> output = new ArrayList<>(
                    shapes.input(sides.size() + 2, sides.size() + 2).subList(0, 2));
            sides.forEach(side -> output.add((long) side));
            return output;
        }
    }

    /**
     * One value of all along some dimensions.
     *
     * @param dimensions ascending
     * @param isKept     whether they remain, with the side 1
     */
    record Reduction(Kind kind, List<Integer> dimensions, boolean isKept) implements Pooling {

        @Override
        public List<Long> output(OperandShapes shapes) {
            OperandShapes.require(!dimensions.isEmpty(), "%s is along one dimension or more", kind);
            List<Long> input = shapes.input(0);
            List<Long> output = new ArrayList<>(input);
            for (int i = dimensions.size() - 1; i >= 0; i--) {
                OperandShapes.requireDimension(dimensions.get(i), input);
                OperandShapes.require(
                        i == 0 || dimensions.get(i - 1) < dimensions.get(i),
                        "the dimensions %s are not ascending",
                        dimensions);
                if (isKept) {
                    output.set(dimensions.get(i), 1L);
                } else {
                    output.remove((int) dimensions.get(i));
                }
            }
            return output;
        }
    }

    /** Returns the number of positions of a window along a side, as PyTorch counts them. */
    static long places(long side, long window, long stride, long padding, boolean isCeil, List<Long> input) {
        long room = side + 2 * padding - window;
        OperandShapes.require(room >= 0, "windows of %d with the padding %d do not fit %s", window, padding, input);
        long places = (room + (isCeil ? stride - 1 : 0)) / stride + 1;
        // The last window must begin within the input or the padding before it.
        return isCeil && (places - 1) * stride >= side + padding ? places - 1 : places;
    }
}
