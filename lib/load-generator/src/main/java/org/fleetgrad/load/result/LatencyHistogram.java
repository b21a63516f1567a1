package org.fleetgrad.load.result;

/**
 * Latencies in a fixed amount of memory, however many there are.
 *
 * <p>As in Gil Tene's HdrHistogram, each power of two is cut into the same number of buckets, so that a percentile is
 * wrong by a bounded share of itself: less than 2<sup>-bits</sup>, and never too small. The largest value is exact. Not
 * thread-safe.
 */
public final class LatencyHistogram {

    /** Longest latency that is distinguished from longer ones: 2^43 ns, more than two hours. */
    private static final int MOST_BITS = 43;

    private final int bits;
    private final long[] counts;
    private long count;
    private long largest;

    /**
     * Makes an empty histogram of 8 × (44 − bits) × 2<sup>bits</sup> bytes.
     *
     * @param bits of precision, from 1 to 16: with 10, percentiles are less than 0.1% too large
     */
    public LatencyHistogram(int bits) {
        if (bits < 1 || bits > 16) {
            throw new IllegalArgumentException("the bits of a histogram must be from 1 to 16; they are " + bits);
        }
        this.bits = bits;
        this.counts = new long[(MOST_BITS - bits + 1) << bits];
    }

    /** Adds one latency; a negative one counts as 0. */
    public void add(long nanos) {
        long value = Math.max(0, nanos);
        counts[index(Math.min(value, (1L << MOST_BITS) - 1))]++;
        count++;
        largest = Math.max(largest, value);
    }

    /** Adds another histogram of the same precision. */
    public void add(LatencyHistogram other) {
        if (other.bits != bits) {
            throw new IllegalArgumentException(
                    "a histogram of %d bits cannot take one of %d".formatted(bits, other.bits));
        }
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
        count += other.count;
        largest = Math.max(largest, other.largest);
    }

    /** Returns the number of latencies. */
    public long count() {
        return count;
    }

    /** Returns the largest latency in nanoseconds; 0 if there is none. */
    public long largest() {
        return largest;
    }

    /**
     * Returns the smallest latency, in nanoseconds, that at least this share of all does not exceed (the nearest-rank
     * percentile), at most a share of 2<sup>-bits</sup> too large; 0 if there is none.
     *
     * @param share such as 0.99, from 0 to 1
     */
    public long percentile(double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("a percentile's share must be from 0 to 1; it is " + share);
        }
        long rank = Math.max(1, (long) Math.ceil(share * (double) count));
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return Math.min(upperEnd(i), largest);
            }
        }
        return largest;
    }

    /** Below 2^bits each value has its own bucket; above, the first bits after the leading one choose it. */
    private int index(long value) {
        int shift = Math.max(0, 63 - Long.numberOfLeadingZeros(value) - bits);
        return (int) ((long) shift << bits) + (int) (value >>> shift);
    }

    private long upperEnd(int index) {
        int first = 2 << bits;
        if (index < first) {
            return index;
        }
        int shift = (index >>> bits) - 1;
        long leading = index - ((long) shift << bits);
        return ((leading + 1) << shift) - 1;
    }
}
