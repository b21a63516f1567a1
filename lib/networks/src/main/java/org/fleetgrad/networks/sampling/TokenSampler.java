package org.fleetgrad.networks.sampling;

import java.util.SplittableRandom;

/**
 * Chooses the tokens of one text. The same seed and the same logits give the same tokens on every machine: all
 * arithmetic is in float64 in a fixed order, with StrictMath's exponential. The logits themselves may differ in their
 * last bits between processors. Not thread-safe.
 */
public final class TokenSampler {

    private static final int BITS_OF_DOUBLE = 53;

    private final Sampling sampling;
    private final SplittableRandom random;

    /** Begins the sequence of draws of a seed. */
    public TokenSampler(Sampling sampling, long seed) {
        this.sampling = sampling;
        this.random = new SplittableRandom(seed);
    }

    /**
     * Chooses a token. If several are the most probable, a greedy choice is the first of them.
     *
     * @param logits one or more, one for each token of the vocabulary
     * @throws IllegalArgumentException if a logit is not finite; the message has the token
     */
    public int next(float[] logits) {
        int most = mostProbable(logits);
        return sampling.isGreedy()
                ? most
                : Nucleus.of(logits, logits[most], sampling).token(uniform());
    }

    /** Returns a number from 0 to 1 (exclusive), in steps of 2^-53. */
    private double uniform() {
        return (random.nextLong() >>> (Long.SIZE - BITS_OF_DOUBLE)) * 0x1.0p-53;
    }

    private static int mostProbable(float[] logits) {
        if (logits.length == 0) {
            throw new IllegalArgumentException("a token is chosen from one logit or more; there are none");
        }
        int most = 0;
        for (int i = 0; i < logits.length; i++) {
            if (!Float.isFinite(logits[i])) {
                throw new IllegalArgumentException(
                        "the logit of token %d is %s: training has diverged".formatted(i, logits[i]));
            }
            if (logits[i] > logits[most]) {
                most = i;
            }
        }
        return most;
    }
}
