package org.fleetgrad.networks.sampling;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The tokens that one choice may draw (A. Holtzman et al. 2020): the smallest set of most probable tokens whose
 * probabilities sum to top_p or more, at least one. Of equally probable tokens, the first are in it. The temperature
 * comes first, as in Hugging Face's {@code generate}.
 *
 * @param tokens  the numbers of the tokens
 * @param weights their probabilities, but for a common factor
 */
record Nucleus(int[] tokens, double[] weights) {

    private static final long NUMBERS = 0xffff_ffffL;

    /**
     * Returns the nucleus of finite logits.
     *
     * @param largest  the largest of the logits: subtracting it prevents overflow
     * @param sampling not greedy
     */
    static Nucleus of(float[] logits, float largest, Sampling sampling) {
        double[] weights = new double[logits.length];
        double total = 0;
        for (int i = 0; i < logits.length; i++) {
            weights[i] = StrictMath.exp(((double) logits[i] - largest) / sampling.temperature());
            total += weights[i];
        }
        if (sampling.topP() == 1) {
            return new Nucleus(IntStream.range(0, logits.length).toArray(), weights);
        }
        int[] ordered = ordered(logits, weights, total * (1 - sampling.topP()) / logits.length);
        double sum = 0;
        int count = 0;
        do {
            sum += weights[ordered[count]];
            count++;
        } while (count < ordered.length && sum < sampling.topP() * total);
        int[] tokens = Arrays.copyOf(ordered, count);
        return new Nucleus(
                tokens, Arrays.stream(tokens).mapToDouble(i -> weights[i]).toArray());
    }

    /**
     * Returns the tokens of at least a weight, the most probable first. Those below (1 - top_p) / n of the sum have
     * less than 1 - top_p together, so that the nucleus is among the others: most of a large vocabulary need not be
     * sorted.
     */
    private static int[] ordered(float[] logits, double[] weights, double least) {
        return IntStream.range(0, logits.length)
                .filter(i -> weights[i] >= least)
                .mapToLong(i -> key(logits[i]) << Integer.SIZE | i)
                .sorted()
                .mapToInt(key -> (int) (key & NUMBERS))
                .toArray();
    }

    /** Returns an integer that is the smaller, the larger the logit is. */
    private static long key(float logit) {
        // The sum makes 0 of -0. The bits of floats order as integers do, but for the sign.
        int bits = Float.floatToIntBits(logit + 0f);
        return ~(bits ^ (bits >> (Integer.SIZE - 1) & Integer.MAX_VALUE));
    }

    /**
     * Returns the token at a place of the cumulative distribution.
     *
     * @param uniform from 0 to 1 (exclusive)
     */
    int token(double uniform) {
        double total = 0;
        for (double weight : weights) {
            total += weight;
        }
        double sum = 0;
        int last = 0;
        for (int i = 0; i < weights.length; i++) {
            sum += weights[i];
            if (uniform * total < sum) {
                return tokens[i];
            }
            last = weights[i] > 0 ? i : last;
        }
        // The product is rounded, and may be the total itself.
        return tokens[last];
    }
}
