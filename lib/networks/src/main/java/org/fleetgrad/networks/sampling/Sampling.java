package org.fleetgrad.networks.sampling;

/**
 * How the next token of a text is chosen from its logits. Immutable.
 *
 * @param temperature T of the probabilities softmax(logits / T), 0 or more; 0 chooses the most probable token
 * @param topP        from 0 to 1: only the {@link Nucleus} of this probability is drawn from; 1 for all tokens
 */
public record Sampling(double temperature, double topP) {

    /** The most probable token, always. */
    public static final Sampling GREEDY = new Sampling(0, 1);

    /** Checks the numbers. */
    public Sampling {
        if (!(temperature >= 0 && temperature <= Double.MAX_VALUE)) {
            throw new IllegalArgumentException("a temperature must be 0 or more; it is " + temperature);
        }
        if (!(topP >= 0 && topP <= 1)) {
            throw new IllegalArgumentException("top_p must be from 0 to 1; it is " + topP);
        }
    }

    /** Returns whether the most probable token is always chosen, without a draw. */
    public boolean isGreedy() {
        return temperature == 0;
    }
}
