package org.fleetgrad.networks.layer;

/**
 * In training, sets each value to 0 with a probability p and divides the others by 1 - p (N. Srivastava et al. 2014).
 *
 * @param probability from 0 to below 1
 */
public record Dropout(float probability) implements Layer {

    public Dropout {
        if (!(probability >= 0 && probability < 1)) {
            throw new IllegalArgumentException("a dropout's probability is from 0 to below 1; it is " + probability);
        }
    }
}
