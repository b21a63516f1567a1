package org.fleetgrad.networks.layer;

import java.util.List;

/**
 * Means over as many windows as the output has positions, whatever the size of the input.
 *
 * @param side height and width of the output
 */
public record AdaptiveAvgPool2d(int side) implements Layer {

    @Override
    public List<Integer> output(List<Integer> input) {
        Shapes.requireImage("an average-pooling", input);
        return List.of(input.get(0), side, side);
    }
}
