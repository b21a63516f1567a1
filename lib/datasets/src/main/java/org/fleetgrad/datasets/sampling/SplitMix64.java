package org.fleetgrad.datasets.sampling;

/**
 * The SplitMix64 generator of Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014): the same
 * numbers for the same seed on every platform and release of Java, which {@code java.util.random} does not promise for
 * bounded numbers. Not thread-safe, and not for secrets.
 */
public final class SplitMix64 {

    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

    private long state;

    /** Starts the sequence of {@code seed}. */
    public SplitMix64(long seed) {
        this.state = seed;
    }

    /** Starts a separate sequence for part number {@code index} of the data that uses {@code seed}. */
    public static SplitMix64 of(long seed, long index) {
        return new SplitMix64(mix(mix(seed) + GOLDEN_GAMMA * (index + 1)));
    }

    /** Returns 64 random bits that depend on three numbers, without allocating: for a single draw per object. */
    public static long bits(long seed, long first, long second) {
        return mix(mix(mix(seed) + GOLDEN_GAMMA * (first + 1)) + GOLDEN_GAMMA * (second + 1));
    }

    /** Returns the next 64 bits. */
    public long nextLong() {
        state += GOLDEN_GAMMA;
        return mix(state);
    }

    /** Returns a number from 0 to {@code bound} (exclusive): the high half of a 64-bit product, by Lemire (2019). */
    public int nextInt(int bound) {
        if (bound <= 0) {
            throw new IllegalArgumentException("a bound must be positive; it is " + bound);
        }
        return (int) (((nextLong() >>> 32) * bound) >>> 32);
    }

    /** Returns a number from 0 to 1 (exclusive), in steps of 2^-53. */
    public double nextDouble() {
        return (nextLong() >>> 11) * 0x1.0p-53;
    }

    /** Returns a number from {@code low} to {@code high} (exclusive). */
    public double between(double low, double high) {
        return low + (high - low) * nextDouble();
    }

    /**
     * Returns the numbers from 0 to {@code count} (exclusive) in random order: the Fisher-Yates shuffle in Durstenfeld's
     * form (1964).
     */
    public int[] permutation(int count) {
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            int j = nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        return order;
    }

    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
