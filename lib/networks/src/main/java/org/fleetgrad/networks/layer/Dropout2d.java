package org.fleetgrad.networks.layer;

import java.util.List;

/**
 * In training, sets whole channels to 0 with a probability p and divides the others by 1 - p (J. Tompson et al. 2015).
 *
 * @param probability from 0 to below 1
 */
public record Dropout2d(float probability) implements Layer {

    public Dropout2d {
        if (!(probability >= 0 && probability < 1)) {
            throw new IllegalArgumentException("a dropout's probability is from 0 to below 1; it is " + probability);
        }
    }

    @Override
    public List<Integer> output(List<Integer> input) {
        Shapes.requireImage("a dropout of channels", input);
        return input;
    }
}
