package org.fleetgrad.networks.layer;

import java.util.List;

/**
 * The maximum of square windows.
 *
 * @param kernel  side of the window
 * @param stride  step between windows
 * @param padding positions on each side that are never the maximum
 */
public record MaxPool2d(int kernel, int stride, int padding) implements Layer {

    /** Halves the sides: windows of 2 by 2. */
    public static final MaxPool2d HALVES = new MaxPool2d(2, 2, 0);

    @Override
    public List<Integer> output(List<Integer> input) {
        Shapes.requireImage("a max-pooling", input);
        return List.of(
                input.get(0),
                Shapes.places("a max-pooling", input.get(1), kernel, stride, padding, input),
                Shapes.places("a max-pooling", input.get(2), kernel, stride, padding, input));
    }
}
