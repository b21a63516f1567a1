package org.fleetgrad.ps.web.exchange;

import java.nio.FloatBuffer;
import java.util.Arrays;

/** An array that doubles as its values arrive, up to the number that was announced. Confined to the request's thread. */
final class GrowingValues {

    /** Few enough for thousands of clients that send a head and nothing else. */
    private static final int FIRST = 1 << 10;

    private final int wanted;
    private final ReceivedBytes.Share share;
    private float[] values;

    /**
     * @param wanted values that were announced
     * @param share  of the memory for parameter sets that arrive
     */
    GrowingValues(int wanted, ReceivedBytes.Share share) {
        this.wanted = wanted;
        this.share = share;
        int first = Math.min(wanted, FIRST);
        share.grow(first * (long) Float.BYTES);
        this.values = new float[first];
    }

    int wanted() {
        return wanted;
    }

    /** Adds the values of a chunk after the {@code at} values before them. */
    void append(FloatBuffer chunk, int at, int count) {
        if (at + count > values.length) {
            int larger = (int) Math.min(wanted, Math.max(2L * values.length, at + count));
            share.grow((larger - values.length) * (long) Float.BYTES);
            values = Arrays.copyOf(values, larger);
        }
        chunk.get(values, at, count);
    }

    /** Returns the values, all of which were appended. */
    float[] values() {
        return values;
    }
}
