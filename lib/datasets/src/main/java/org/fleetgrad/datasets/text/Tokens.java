package org.fleetgrad.datasets.text;

import java.util.Arrays;
import org.fleetgrad.networks.Task;

/** Numbers of tokens, each from 0 to 2^20 - 1: two bytes each while all are below 65,536, else three. Immutable, thread-safe. */
public final class Tokens {

    private static final int LOW_BITS = 16;
    private static final byte[] NONE = {};

    private final char[] low;

    /** The upper bits, or nothing if they are all 0. */
    private final byte[] high;

    private Tokens(char[] low, byte[] high) {
        this.low = low;
        this.high = high;
    }

    /**
     * Copies tokens.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public static Tokens of(int... tokens) {
        boolean isWide = false;
        for (int i = 0; i < tokens.length; i++) {
            if (tokens[i] < 0 || tokens[i] >= Task.MOST_TOKENS) {
                throw new IllegalArgumentException(
                        "a token is from 0 to %d; token %d is %d".formatted(Task.MOST_TOKENS - 1, i, tokens[i]));
            }
            isWide |= tokens[i] >>> LOW_BITS != 0;
        }
        char[] low = new char[tokens.length];
        byte[] high = isWide ? new byte[tokens.length] : NONE;
        for (int i = 0; i < tokens.length; i++) {
            low[i] = (char) tokens[i];
            if (isWide) {
                high[i] = (byte) (tokens[i] >>> LOW_BITS);
            }
        }
        return new Tokens(low, high);
    }

    /** Returns the number of tokens. */
    public int count() {
        return low.length;
    }

    /** Returns one token. */
    public int get(int index) {
        return high.length == 0 ? low[index] : low[index] | (high[index] << LOW_BITS);
    }

    /** Returns the largest token, or -1 if there is none. */
    public int largest() {
        int largest = -1;
        for (int i = 0; i < low.length; i++) {
            largest = Math.max(largest, get(i));
        }
        return largest;
    }

    /** Copies the tokens from index {@code from} (inclusive) to {@code to} (exclusive). */
    public Tokens slice(int from, int to) {
        return new Tokens(
                Arrays.copyOfRange(low, from, to), high.length == 0 ? NONE : Arrays.copyOfRange(high, from, to));
    }

    /** A slice may have upper bits that are all 0, so the tokens are compared, and not how they are kept. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Tokens that
                && Arrays.equals(low, that.low)
                && (high.length == that.high.length
                        ? Arrays.equals(high, that.high)
                        : largest() >>> LOW_BITS == 0 && that.largest() >>> LOW_BITS == 0);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(low);
    }

    @Override
    public String toString() {
        return "Tokens[%d, largest %d]".formatted(count(), largest());
    }
}
